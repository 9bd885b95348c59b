import type { ReactNode } from 'react'
import { countOf } from '#web/lib/count.ts'
import { FileIcon } from '#web/ui/icons.tsx'

/** The chosen file: its name, number of rows (null while it is being checked) and size, and a button. */
export function FileLine({ file, rows, children }: { file: File; rows: number | null; children: ReactNode }) {
  return (
    <div className="flex items-center gap-3.5 max-sm:flex-wrap">
      <FileIcon className="size-5 shrink-0 text-ink3" />
      <div className="min-w-0 flex-1">
        <p title={file.name} className="truncate font-medium">
          {file.name}
        </p>
        <p className="num text-xs text-ink2">
          {rows === null ? fileSize(file.size) : `${countOf(rows, 'row', 'rows')} · ${fileSize(file.size)}`}
        </p>
      </div>
      {children}
    </div>
  )
}

/** Returns the size as text: '3.4 MB', '12 kB'. */
function fileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
