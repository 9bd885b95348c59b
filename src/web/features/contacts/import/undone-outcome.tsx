import type { UndoneImport } from '#web/data/imports.ts'
import { undoneWords } from './undo-words.ts'

/** The outcome of an import that was undone, in place of the one before. */
export function UndoneOutcome({ undone }: { undone: UndoneImport }) {
  return (
    <div>
      <h2 className="text-lg">Import undone</h2>
      <p className="num text-ink2">{undoneWords(undone)}</p>
    </div>
  )
}
