import { useEffect, useRef, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
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
  /** True if the button has no outline: in the panel of filters, and in the bar of selected rows. */
  quiet?: boolean
  /** The text of the button. By default, 'Export'. */
  label?: string
  className?: string
}

/**
 * Downloads records as a CSV file. While the file is written, the button shows the number of records so far, and a press stops the export.
 */
export function ExportButton({ query, quiet = false, label = 'Export', className }: ExportButtonProps) {
  const device = useDevice()
  const { brand } = useActiveBrand()
  const [progress, setProgress] = useState<{ count: number; total: number } | null>(null)
  const [waits, setWaits] = useState(false)
  const stopper = useRef<AbortController | null>(null)
  useEffect(() => () => stopper.current?.abort(), [])
  const { one, many } = nounOf(query.table)

  async function run() {
    const stop = new AbortController()
    stopper.current = stop
    setProgress({ count: 0, total: 0 })
    const own = toast.begin()
    const code = await import('./export-records.ts').catch(() => null)
    if (stop.signal.aborted) return
    if (!code) {
      stopper.current = null
      setProgress(null)
      own.error(`Error exporting ${many}`, { description: 'No connection. Try again when it is back.' })
      return
    }
    const { file, count, isPart, failure } = await code.exportRecords(device, query, {
      signal: stop.signal,
      onProgress: (done, total) => setProgress({ count: done, total }),
      onWaiting: (waiting) => !stop.signal.aborted && setWaits(waiting !== null),
    })
    // If the person has started another export meanwhile, the state of that export must stay.
    if (stop.signal.aborted) return
    stopper.current = null
    setProgress(null)
    setWaits(false)
    if (failure) {
      own.error(`Error exporting ${many}`, { description: failure })
      return
    }
    downloadBlob(`${query.table}-${brand?.slug ?? 'export'}-${localDay(Date.now())}.csv`, file)
    const here = `Without a connection only the ${many} on this device were exported.`
    own.success(`${countOf(count, one, many)} exported`, isPart ? { description: here } : {})
  }

  function stop() {
    stopper.current?.abort()
    setProgress(null)
    setWaits(false)
  }

  if (progress) {
    const { count, total } = progress
    const done = total === 0 ? 'Exporting' : `${formatCount(count)} of ${formatCount(total)}`
    return (
      <Button variant={quiet ? 'quiet' : 'default'} icon={<Spinner />} onClick={stop} className={className}>
        <span className="num" role="status">
          {waits ? 'No response, trying again' : done}
        </span>
        <span className="text-ink3">Stop</span>
      </Button>
    )
  }
  return (
    <Button
      variant={quiet ? 'quiet' : 'default'}
      icon={<DownloadIcon />}
      onClick={() => void run()}
      className={className}
    >
      {label}
    </Button>
  )
}
