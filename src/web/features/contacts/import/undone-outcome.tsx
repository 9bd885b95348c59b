import type { UndoneImport } from '#web/data/imports.ts'
import { undoneWords } from './undo-words.ts'

/** The result of an undone import. It replaces the result of the import. */
export function UndoneOutcome({ undone }: { undone: UndoneImport }) {
  return (
    <div>
      <h2 className="text-lg">Import undone</h2>
      <p className="num text-ink2">{undoneWords(undone)}</p>
    </div>
  )
}
