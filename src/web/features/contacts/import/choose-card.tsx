import { type DragEvent, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { DownloadIcon, FileIcon, UploadIcon } from '#web/ui/icons.tsx'
import { ChooseFileButton, acceptCsv } from './choose-file-button.tsx'
import { templateColumns } from './map-columns.ts'
import { downloadCsv, template, templateName } from './write-csv.ts'

/** The first step of an import: the template, and an area to drop or choose a file. */
export function ChooseCard({ onFile }: { onFile: (file: File) => void }) {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsDraggedOver(false)
    const file = event.dataTransfer.files[0]
    if (file) acceptCsv(file, onFile)
  }
  return (
    <div className="flex flex-1 flex-col gap-3">
      <div className="flex items-center gap-3.5 rounded-control bg-sunken px-3.5 py-2.5 max-sm:flex-wrap">
        <FileIcon className="size-5 shrink-0 text-ink3" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{templateName}</p>
          <p className="truncate text-xs text-ink2">{templateColumns.join(', ')}</p>
        </div>
        <Button
          icon={<DownloadIcon />}
          onClick={() => downloadCsv(templateName, template)}
          aria-label="Download template"
          className="max-sm:w-full"
        >
          Download
        </Button>
      </div>
      {/* Dropping is optional: the button does the same */}
      <div
        data-drop-zone=""
        className={cx(
          'flex min-h-48 flex-1 flex-col items-center justify-center gap-3 rounded-control border-[1.5px] border-dashed px-4 py-6 text-center',
          isDraggedOver ? 'border-accent bg-accent-soft' : 'border-line2',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setIsDraggedOver(true)
        }}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={drop}
      >
        <UploadIcon className="size-6 text-ink3" />
        <p className="text-ink2 max-sm:hidden">Drop a .csv file here, or</p>
        <ChooseFileButton onFile={onFile} />
        <p className="max-w-120 text-xs text-ink3">
          Up to 50 MB, with commas, semicolons or tabs. Columns in any order: email, phone, names, job title, company.
        </p>
      </div>
    </div>
  )
}
