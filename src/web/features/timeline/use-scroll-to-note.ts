import { useEffect, useRef, useState } from 'react'
import { type LinkedNote, useLinkedNote } from '#web/data/linked-note.ts'
import type { TimelineTable } from '#web/data/notes.ts'
import { useShownLocation } from '#web/lib/routing/use-router.ts'
import { scrollAndMark } from '#web/ui/scroll-and-mark.ts'

/** The id of the line that says that the note is missing. */
export const missingNoteId = 'missing-note'

/**
 * The note that the address names, '#note-ID', as the notification of a mention does. Once it is drawn (`isShown`), it is scrolled to, has the
 * focus and is marked for a moment. Pressing the same link again is another visit.
 */
export function useScrollToNote(table: TimelineTable, id: string, isShown: boolean): LinkedNote {
  const { hash, key } = useShownLocation()
  const noteId = /^note-([0-9a-f-]{36})$/.exec(hash)?.[1] ?? null
  const { entry, missing } = useLinkedNote(table, id, noteId)
  const visit = noteId && `${key} ${noteId}`
  const done = useRef<string | null>(null)
  const [foundAt, setFoundAt] = useState<string | null>(null)
  if (entry && foundAt !== visit) setFoundAt(visit)
  // Deleted after it was found: that is seen.
  const isMissing = missing && foundAt !== visit
  const isKnown = isShown && (entry !== null || isMissing)
  useEffect(() => {
    if (!isKnown || !visit || done.current === visit) return
    const found = document.getElementById(isMissing ? missingNoteId : `note-${noteId}`)
    if (!found) return
    done.current = visit
    return scrollAndMark(found)
  }, [isKnown, isMissing, visit, noteId])
  return { entry, missing: isMissing }
}
