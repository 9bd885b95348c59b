import { useEffect, useRef, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import type { ExportQuery } from '#web/data/export-records.ts'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { countOf, formatCount } from '#web/lib/count.ts'
import { downloadBlob } from '#web/lib/download.ts'
import { localDay } from '#web/lib/due-day.ts'
import { Button } from '#web/ui/button.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.ts'

interface ExportButtonProps {
  query: ExportQuery
  /** True if the button has no outline. */
  quiet?: boolean
  /** The text of the button. By default, 'Export'. */
  label?: string
  className?: string
}

/**
 * Downloads records as a CSV file. While the file is written, the button shows the number of records that it has so far, and a press stops the
 * export.
 */
export function ExportButton({ query, quiet = false, label = 'Export', className }: ExportButtonProps) {
  const device = useDevice()
  const { brand } = useActiveBrand()
  const [progress, setProgress] = useState<{ count: number; total: number } | null>(null)
  const [isWaiting, setIsWaiting] = useState(false)
  const stopper = useRef<AbortController | null>(null)
  useEffect(() => () => stopper.current?.abort(), [])
  const { one, many } = rowWordsOf(query.table)

  async function runExport() {
    const aborter = new AbortController()
    stopper.current = aborter
    setProgress({ count: 0, total: 0 })
    const exportToast = toast.begin()
    const code = await import('./export-records.ts').catch(() => null)
    if (aborter.signal.aborted) return
    if (!code) {
      stopper.current = null
      setProgress(null)
      exportToast.error(`Error exporting ${many}`, { description: 'No connection. Try again when it is back.' })
      return
    }
    const { file, count, isIncomplete, lacksNames, failure } = await code.exportRecords(device, query, {
      signal: aborter.signal,
      onProgress: (exported, total) => setProgress({ count: exported, total }),
      onWaiting: (waiting) => !aborter.signal.aborted && setIsWaiting(waiting !== null),
    })
    // The person has stopped this export, and may have started another one, whose state must stay.
    if (aborter.signal.aborted) return
    stopper.current = null
    setProgress(null)
    setIsWaiting(false)
    if (failure) {
      exportToast.error(`Error exporting ${many}`, { description: failure })
      return
    }
    downloadBlob(`${query.table}-${brand?.slug ?? 'export'}-${localDay(Date.now())}.csv`, file)
    const partialNote = isIncomplete
      ? `Without a connection only the ${many} on this device were exported.`
      : lacksNames && 'Without a connection some names of linked records are missing.'
    exportToast.success(`${countOf(count, one, many)} exported`, partialNote ? { description: partialNote } : {})
  }

  function stopExport() {
    stopper.current?.abort()
    setProgress(null)
    setIsWaiting(false)
  }

  if (progress) {
    const { count, total } = progress
    const progressText = total === 0 ? 'Exporting' : `${formatCount(count)} of ${formatCount(total)}`
    return (
      <Button variant={quiet ? 'quiet' : 'default'} icon={<Spinner />} onClick={stopExport} className={className}>
        <span className="num" role="status">
          {isWaiting ? 'No response, trying again' : progressText}
        </span>
        <span className="text-ink3">Stop</span>
      </Button>
    )
  }
  return (
    <Button
      variant={quiet ? 'quiet' : 'default'}
      icon={<DownloadIcon />}
      onClick={() => void runExport()}
      className={className}
    >
      {label}
    </Button>
  )
}
