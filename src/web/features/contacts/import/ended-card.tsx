import { useState } from 'react'
import { formatCount } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertIcon, DownloadIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { ChooseFileButton } from './choose-file-button.tsx'
import { DoneMark } from './done-mark.tsx'
import { columnNames } from './map-columns.ts'
import type { LeftOut } from './contact-file.ts'
import type { Report } from './run-import.ts'
import { SkippedRows } from './skipped-rows.tsx'
import { completeSentence, partialSentence } from './use-import.ts'
import { download } from './write-csv.ts'

interface EndedCardProps {
  file: File
  report: Report
  onFile: (file: File) => void
  onReset: () => void
  onViewContacts: () => void
}

/** The last step of an import: its result, the skipped rows with their reasons, and a file of them. */
export function EndedCard({ file, report, onFile, onReset, onViewContacts }: EndedCardProps) {
  return (
    <div className="flex flex-1 flex-col gap-5">
      <Outcome report={report} />
      {report.headerWithoutEmail && (
        <p className="text-ink2">
          No column is called email. The first line of the file has: {report.headerWithoutEmail.join(', ')}.
        </p>
      )}
      {!report.headerWithoutEmail && report.leftOut.count > 0 && (
        <p className="text-ink2 wrap-anywhere">{leftOutSentence(report.leftOut)}</p>
      )}
      {report.errors > 0 && <SkippedRows skipped={report.skipped} count={report.errors} />}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3">
        {report.errors > 0 ? <DownloadSkipped file={file} report={report} /> : <span />}
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          {report.ended === 'complete' ? (
            <>
              <Button size="form" onClick={onReset}>
                Import another file
              </Button>
              <Button size="form" variant="primary" onClick={onViewContacts}>
                View contacts
              </Button>
            </>
          ) : (
            <>
              <Button size="form" onClick={onViewContacts}>
                View contacts
              </Button>
              <ChooseFileButton onFile={onFile} />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function leftOutSentence({ names, count }: LeftOut): string {
  const more = count > names.length ? ` and ${formatCount(count - names.length)} more` : ''
  return `Left out, as only ${columnNames.join(', ')} are imported: ${names.join(', ')}${more}.`
}

function Outcome({ report }: { report: Report }) {
  const { ended, message } = report
  if (ended === 'complete') {
    return (
      <div className="flex gap-3">
        <DoneMark />
        <div>
          <h2 className="text-lg">Import Complete</h2>
          <p className="num text-ink2">{completeSentence(report)}</p>
        </div>
      </div>
    )
  }
  if (ended === 'stopped') {
    return (
      <div>
        <h2 className="text-lg">Import stopped</h2>
        <p className="num text-ink2">{partialSentence(report)}</p>
      </div>
    )
  }
  return (
    <>
      <div className="flex gap-3 rounded-control bg-danger-soft px-3.5 py-3 text-danger">
        <AlertIcon className="mt-0.5 size-5 shrink-0" />
        <div>
          <h2 className="text-sm font-semibold">Error</h2>
          <p>{message}</p>
        </div>
      </div>
      <p className="num text-ink2">{partialSentence(report)}</p>
    </>
  )
}

function DownloadSkipped({ file, report }: { file: File; report: Report }) {
  const [pending, setPending] = useState(false)
  const write = async () => {
    setPending(true)
    try {
      download(`${file.name.replace(/\.csv$/i, '')}-skipped.csv`, await report.writeSkipped())
    } catch {
      toast.error('Error', { description: 'The file could not be read again. It may have been moved or changed.' })
    }
    setPending(false)
  }
  return (
    <Button size="form" icon={<DownloadIcon />} pending={pending} onClick={() => void write()}>
      Download skipped rows
    </Button>
  )
}
