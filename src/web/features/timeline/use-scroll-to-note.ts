import { useEffect, useRef, useState } from 'react'
import { type LinkedNote, useLinkedNote } from '#web/data/linked-note.ts'
import type { TimelineTable } from '#web/data/notes.ts'
import { useShownLocation } from '#web/lib/routing/use-router.ts'
import { scrollAndMark } from '#web/ui/scroll-and-mark.ts'

/** The id of the element with the message that the linked note was deleted. */
export const missingNoteId = 'missing-note'

/**
 * Finds the note that the URL names ('#note-ID', as in the notification of a mention). Once it is rendered (`isShown`), scrolls to the
 * note, focuses it and marks it for a moment. If the note was deleted, scrolls to the message that says so. Pressing the same link again
 * scrolls again.
 */
export function useScrollToNote(table: TimelineTable, id: string, isShown: boolean): LinkedNote {
  const { hash, key } = useShownLocation()
  const noteId = /^note-([0-9a-f-]{36})$/.exec(hash)?.[1] ?? null
  const { entry, missing } = useLinkedNote(table, id, noteId)
  const visit = noteId && `${key} ${noteId}`
  const handledVisit = useRef<string | null>(null)
  const [foundVisit, setFoundVisit] = useState<string | null>(null)
  if (entry && foundVisit !== visit) setFoundVisit(visit)
  // If the note is deleted after it was found, the person sees the note disappear, so no message is needed.
  const isMissing = missing && foundVisit !== visit
  const isKnown = isShown && (entry !== null || isMissing)
  useEffect(() => {
    if (!isKnown || !visit || handledVisit.current === visit) return
    const target = document.getElementById(isMissing ? missingNoteId : `note-${noteId}`)
    if (!target) return
    handledVisit.current = visit
    return scrollAndMark(target)
  }, [isKnown, isMissing, visit, noteId])
  return { entry, missing: isMissing }
}
