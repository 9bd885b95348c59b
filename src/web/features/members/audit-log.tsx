import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useRef, useState } from 'react'
import { auditLog, resetToNewestEvents, loadOlderEvents } from '#web/data/people/audit-log.ts'
import { useOpenings } from '#web/data/people/brand-opening.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { auditWords } from './audit-words.ts'

/** The audit log of accounts and members. Owners can read it, nobody can edit it. Renders nothing if the backend has no audit log. */
export function AuditLog() {
  const device = useDevice()
  const { ready, value, error, missing } = useOnlineValue(auditLog)
  const [loading, setLoading] = useState(false)
  const phase = useSkeleton(ready)
  const now = useNow()
  useEffect(() => () => resetToNewestEvents(device), [device])
  const openings = useOpenings()
  const previousOpenings = useRef(openings)
  useEffect(() => {
    if (previousOpenings.current !== openings) void auditLog(device).reload()
    previousOpenings.current = openings
  }, [device, openings])
  if (missing) return null
  const reload = async (load: () => Promise<void>) => {
    setLoading(true)
    await load()
    setLoading(false)
  }
  return (
    <Card aria-label="Audit log" className="p-6 max-sm:p-4">
      <h2 className="text-lg">Audit log</h2>
      <p className="mt-0.5 text-sm text-ink2">
        Sign-ins of members, who came and left, and roles. Nobody can change it. The sign-ins of a person who has left
        are not listed.
      </p>
      {phase === 'skeleton' && <Skeleton className="mt-4 h-40" />}
      {error && <p className="mt-4 text-sm text-ink2">{error}</p>}
      {phase === 'content' && value && (
        <ol className="mt-4 border-t border-line">
          {value.events.map((event) => (
            <li
              key={event.id}
              className="flex items-baseline gap-4 border-b border-line py-2 text-sm last:border-0 max-sm:flex-col max-sm:gap-0"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="font-medium">{event.who ?? 'Somebody'}</span> {auditWords(event)}
              </span>
              <time dateTime={event.at} className="num shrink-0 text-xs text-ink2">
                {formatMoment(event.at, now)}
              </time>
            </li>
          ))}
        </ol>
      )}
      <div className="mt-3 flex gap-2">
        {value?.hasMore && (
          <Button pending={loading} onClick={() => void reload(() => loadOlderEvents(device))}>
            Show older
          </Button>
        )}
        {error && (
          <Button icon={<RefreshIcon />} pending={loading} onClick={() => void reload(() => auditLog(device).reload())}>
            Try again
          </Button>
        )}
      </div>
    </Card>
  )
}
