import { AlertIcon } from '#web/ui/icons.tsx'
import { ChooseFileButton } from './choose-file-button.tsx'
import type { FileFailure } from './file-failure.ts'

/**
 * Shown for a file that is refused: the text of the specification, the error, its position if the file is not valid CSV, and a button to
 * choose another file. Nothing was imported.
 */
export function UnreadableCard({
  file,
  failure,
  onFile,
}: {
  file: File
  failure: FileFailure
  onFile: (file: File) => void
}) {
  return (
    <div className="flex flex-1 flex-col gap-4">
      <div className="flex gap-3 rounded-control bg-danger-soft px-3.5 py-3 text-danger">
        <AlertIcon className="mt-0.5 size-5 shrink-0" />
        <div>
          <h2 className="text-sm font-semibold">Error</h2>
          <p>Failed to parse CSV file</p>
        </div>
      </div>
      <p className="text-ink2">{failure.sentence} Nothing was imported.</p>
      {failure.lines.length > 0 && (
        // A scrolling area must be reachable by keyboard
        <pre
          tabIndex={0}
          aria-label="The lines of the file"
          className="min-h-28 overflow-x-auto rounded-control bg-sunken px-3 py-3 font-mono text-xs leading-5"
        >
          {failure.lines.map(({ line, row, text }) => (
            <div key={line} className={line === failure.line ? 'text-danger' : 'text-ink2'}>
              <span className="mr-4 inline-block min-w-3 text-right select-none">{row}</span>
              {text}
            </div>
          ))}
        </pre>
      )}
      <div className="mt-auto flex items-center justify-between gap-4">
        <p title={file.name} className="truncate text-ink2">
          {file.name}
        </p>
        <ChooseFileButton onFile={onFile} />
      </div>
    </div>
  )
}
