import { formatCount } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { FileLine } from './file-line.tsx'
import { timeLeft } from './rate.ts'
import type { Progress } from './tally.ts'

interface RunningCardProps {
  file: File
  /** Null while the file is being checked. */
  progress: Progress | null
  /** Whether Stop was pressed. */
  stopping: boolean
  onStop: () => void
}

/** Shown while a file is checked and imported: progress, speed, time left, and Stop. */
export function RunningCard({ file, progress, stopping, onStop }: RunningCardProps) {
  const { rows = 0, done = 0 } = progress ?? {}
  const percent = rows > 0 ? Math.floor((done / rows) * 100) : 0
  return (
    <div className="flex flex-1 flex-col">
      <FileLine file={file} rows={progress ? rows : null}>
        <Button size="form" pending>
          Uploading...
        </Button>
      </FileLine>
      <div className="mt-6 flex items-end justify-between gap-4">
        {progress ? (
          <p className="num flex items-baseline gap-2">
            <span className="text-3xl font-semibold">{formatCount(done)}</span>
            <span className="text-ink2">of {formatCount(rows)} rows</span>
          </p>
        ) : (
          <p className="py-2 text-ink2">Checking the file</p>
        )}
        <p className="num py-1.5 font-medium">{progress ? `${percent}%` : ''}</p>
      </div>
      <div
        role="progressbar"
        aria-label="Import"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="mt-1.5 h-2 overflow-hidden rounded-full bg-active"
      >
        <div
          className="h-full origin-left rounded-full bg-accent"
          style={{ transform: `scaleX(${rows > 0 ? done / rows : 0})` }}
        />
      </div>
      <p className="num mt-3 flex min-h-5 gap-4 text-ink2">{progress && <Speed {...progress} />}</p>
      <div className="mt-auto flex items-center justify-between gap-4 border-t border-line pt-4">
        <p className="num text-ink2">
          {progress && `${formatCount(progress.imported)} imported · ${formatCount(progress.skipped)} skipped`}
        </p>
        <Button size="form" onClick={onStop} pending={stopping}>
          Stop
        </Button>
      </div>
    </div>
  )
}

function Speed({ waiting, rowsPerSecond, secondsLeft }: Progress) {
  if (waiting) {
    const reason = waiting === 'busy' ? 'The server is busy.' : 'The server does not answer.'
    return <span className="text-warn">{reason} Trying again.</span>
  }
  return (
    <>
      {rowsPerSecond > 0 && <span>{formatCount(rowsPerSecond)} rows per second</span>}
      {secondsLeft !== null && <span>{timeLeft(secondsLeft)}</span>}
    </>
  )
}
