import { typedText } from '#web/crm/mentions.ts'
import { useDevice } from '#web/data/browser/device.ts'
import type { QueueLine } from '#web/data/changes/queue-lines.ts'
import { refusedNoteText } from '#web/data/changes/refused-note.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/**
 * The text of a note that was refused or whose record was deleted, and a button that copies it. Mentions are written as people type them. Renders
 * nothing if the line has no such text.
 */
export function RefusedNote({ line }: { line: QueueLine }) {
  const body = refusedNoteText(useDevice(), line.id)
  if (!body) return null
  const { text } = typedText(body)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Text copied')
    } catch {
      toast.error('The text was not copied', { description: 'Select it and copy it by hand.' })
    }
  }
  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      {/* A scrolling area must be reachable by keyboard. */}
      <div
        tabIndex={0}
        role="region"
        aria-label={`Text: ${line.title}`}
        className="max-h-80 w-full overflow-y-auto rounded-control bg-sunken px-3 py-2 whitespace-pre-wrap wrap-anywhere select-text"
      >
        {text}
      </div>
      <Button onClick={() => void copy()} aria-label={`Copy text: ${line.title}`}>
        Copy text
      </Button>
    </div>
  )
}
