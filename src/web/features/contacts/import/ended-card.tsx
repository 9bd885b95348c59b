import { useState } from 'react'
import type { Role } from '#shared/roles.ts'
import { type PastImport, pastImports, type UndoneImport } from '#web/data/imports.ts'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { countOf, formatCount } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertIcon, DownloadIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { ChangedContacts } from './changed-contacts.tsx'
import { ChooseFileButton } from './choose-file-button.tsx'
import { DoneMark } from './done-mark.tsx'
import { LeftOutValues } from './left-out-values.tsx'
import type { LeftOutNames, Report } from './report.ts'
import { inDownload, RowList } from './row-list.tsx'
import { UndoImportButton } from './undo-import-button.tsx'
import { UndoneOutcome } from './undone-outcome.tsx'
import { repeatedSentence } from './repeated-rows.ts'
import { useImportChanges } from './use-import-changes.ts'
import { completeSentence, partialSentence } from './use-import.ts'
import { downloadCsv } from './write-csv.ts'

interface EndedCardProps {
  file: File
  report: Report
  onFile: (file: File) => void
  onReset: () => void
  onViewContacts: () => void
}

/** The last step of an import: its result, the rows and values left out with the reasons, the download of rows to correct, and 'Undo import'. */
export function EndedCard({ file, report, onFile, onReset, onViewContacts }: EndedCardProps) {
  const [undoneHere, setUndoneHere] = useState<UndoneImport | null>(null)
  const { brand } = useActiveBrand()
  const { value: imports } = useOnlineValue(pastImports)
  const undone = undoneHere ?? undoneElsewhere(imports, report.importId)
  const importChanges = useImportChanges(report.importId, report.updated > 0)
  const changes = !undone && importChanges?.count ? importChanges : null
  const undo = report.created + report.updated > 0 && !undone && (
    <UndoImportButton importId={report.importId} fileName={file.name} size="form" onUndone={setUndoneHere} />
  )
  return (
    <div data-toasts-at-top="" className="flex flex-1 flex-col gap-5">
      {undone ? <UndoneOutcome undone={undone} /> : <ImportOutcome report={report} />}
      {report.leftOut.count > 0 && <p className="text-ink2 wrap-anywhere">Left out: {leftOutNames(report.leftOut)}.</p>}
      {report.leftOutTags.count > 0 && (
        <p className="text-ink2 wrap-anywhere">
          Tags left out: {leftOutNames(report.leftOutTags)}. {leftOutTagReasons[brand?.role ?? 'member']}
        </p>
      )}
      {changes && (
        <ChangedContacts
          title={countOf(changes.count, 'known contact changed', 'known contacts changed')}
          changes={changes}
        >
          {undo}
        </ChangedContacts>
      )}
      {report.errors > 0 && (
        <RowList
          label="Skipped rows"
          rows={report.skipped}
          count={report.errors}
          reason="Reason"
          elsewhere={inDownload}
        />
      )}
      <LeftOutValues report={report} />
      {report.toCorrect > 0 && (
        <p className="text-ink2">
          The download has {report.toCorrect === 1 ? 'this row, with the reason' : 'these rows, each with its reason'}.
          Correct the file and import it.
        </p>
      )}
      {report.repeated > 0 && <RepeatedRows report={report} />}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-3">
        <div className="flex gap-2 max-sm:w-full max-sm:flex-col empty:max-sm:hidden">
          {report.toCorrect > 0 && <DownloadToCorrect file={file} report={report} />}
          {!changes && undo}
        </div>
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

const tagLimits = 'A contact has at most 30 tags, a brand 200, and the name of a tag at most 50 characters.'
/** Why contacts did not get some tags of the file, by the person's role. */
const leftOutTagReasons: Record<Role, string> = {
  member: 'Admins and owners can add tags in Settings; then import the file again.',
  admin: tagLimits,
  owner: tagLimits,
}

/** Returns the result if the import was undone in another way than with the button of this card, such as Ctrl+Z. Otherwise null. */
function undoneElsewhere(imports: readonly PastImport[] | null | undefined, importId: string): UndoneImport | null {
  const pastImport = imports?.find(({ id, undone_at }) => id === importId && undone_at !== null)
  if (!pastImport) return null
  const { deleted_contacts: contacts, deleted_companies: companies, restored_contacts: restored } = pastImport
  return { done: true, contacts, companies, restored, kept: null, changed: null }
}

/** The numbers of contacts, if not every row became a new contact: '1,951 contacts added.', '2 added, 1 known before.' */
function contactsSentence({ created, imported, repeated, changed }: Report): string {
  const knownBefore = imported - created - repeated
  if (knownBefore === 0) return repeated === 0 ? '' : `${countOf(created, 'contact', 'contacts')} added.`
  const got = changed > 0 ? `, of which ${formatCount(changed)} got values of the file` : ''
  return `${formatCount(created)} added, ${formatCount(knownBefore)} known before${got}.`
}

function leftOutNames({ names, count }: LeftOutNames): string {
  const othersText = count > names.length ? ` and ${formatCount(count - names.length)} more` : ''
  return `${names.join(', ')}${othersText}`
}

function RepeatedRows({ report }: { report: Report }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="num text-ink2">{repeatedSentence(report.repeated)}</p>
      <RowList
        label="Rows for the same contact as an earlier row"
        rows={report.repeatedRows}
        count={report.repeated}
        reason="Contact"
      />
    </div>
  )
}

function ImportOutcome({ report }: { report: Report }) {
  const { ended, message } = report
  if (ended === 'complete') {
    return (
      <div className="flex gap-3">
        <DoneMark />
        <div>
          <h2 className="text-lg">Import Complete</h2>
          <p className="num text-ink2">{completeSentence(report)}</p>
          <p className="num text-ink2">{contactsSentence(report)}</p>
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

function DownloadToCorrect({ file, report }: { file: File; report: Report }) {
  const [pending, setPending] = useState(false)
  const downloadRows = async () => {
    setPending(true)
    try {
      downloadCsv(`${file.name.replace(/(-to-correct)?\.csv$/i, '')}-to-correct.csv`, await report.writeToCorrect())
    } catch {
      toast.error('Error', { description: 'The file could not be read again. It may have been moved or changed.' })
    }
    setPending(false)
  }
  return (
    <Button size="form" icon={<DownloadIcon />} pending={pending} onClick={() => void downloadRows()}>
      Download rows to correct
    </Button>
  )
}
