import { type QueueLine, resolveConflict } from '#web/data/sync-status.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'

/** Two people changed the same field: which value is right? */
export function ConflictChoice({ line }: { line: QueueLine }) {
  return (
    <>
      <dl className="mt-2 flex flex-col gap-2">
        {line.conflicts.map((conflict) => (
          <div key={conflict.field} className="rounded-card bg-sunken p-3">
            <dt className="text-xs text-ink3">{fieldName(conflict.field)}</dt>
            <dd className="num">
              <Value who="Yours" at={formatMoment(line.at)} value={conflict.mine} />
              <Value who={line.theirsBy ?? 'Theirs'} at={formatMoment(line.theirsAt)} value={conflict.theirs} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-2 flex gap-2">
        <Button onClick={() => void resolveConflict(line.id, 'mine')}>Keep yours</Button>
        <Button onClick={() => void resolveConflict(line.id, 'theirs')}>Keep theirs</Button>
      </div>
    </>
  )
}

function Value({ who, at, value }: { who: string; at: string; value: unknown }) {
  return (
    <p className="flex items-baseline justify-between gap-3">
      <span>
        {who} <span className="text-xs text-ink3">{at}</span>
      </span>
      <span className="min-w-0 truncate font-medium">{shown(value)}</span>
    </p>
  )
}

function shown(value: unknown): string {
  if (typeof value === 'string' && value) return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '–'
}

/** 'expected_close_date' -> 'Expected close date'. */
function fieldName(column: string): string {
  const words = column.replace(/_id$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
