import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { endOtherSessions, endSession, type MySession, mySessions } from '#web/data/session/my-sessions.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { deviceName, isHandheld } from '#web/lib/device-name.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { MonitorIcon, PhoneDeviceIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { problemWords } from './problem-words.ts'
import { CardProblem, SecurityCard, SecurityList, SecurityRow } from './security-card.tsx'

/** The card with the person's sessions. It can end one session, or all others. */
export function SessionsCard() {
  const device = useDevice()
  const { value, error, missing } = useOnlineValue(mySessions)
  /** The id of the session that is being ended; 'others' while all others are being ended. */
  const [endingId, setEndingId] = useState<string | null>(null)
  const now = useNow()
  if (missing) return null
  const sessions = value ?? []
  const endWithToast = async (id: string, run: () => Promise<Outcome>, successText: string) => {
    if (endingId) return
    setEndingId(id)
    const outcome = await run()
    setEndingId(null)
    if (outcome.status === 'refused')
      toast.error('The session was not ended', { description: problemWords(outcome.message) })
    else toast.success(successText)
  }
  return (
    <SecurityCard title="Sessions" description="Where you are signed in.">
      {sessions.length > 0 && (
        <SecurityList>
          {sessions.map((session) => (
            <SecurityRow
              key={session.id}
              icon={isHandheld(session.user_agent) ? <PhoneDeviceIcon /> : <MonitorIcon />}
              title={deviceName(session.user_agent)}
              badge={session.is_current && <CurrentBadge />}
              line={[session.address, session.is_current ? 'now' : lastSeenText(session, now)]
                .filter(Boolean)
                .join(' · ')}
            >
              {!session.is_current && (
                <Button
                  aria-label={`End ${deviceName(session.user_agent)}`}
                  pending={endingId === session.id}
                  onClick={() => void endWithToast(session.id, () => endSession(device, session.id), 'Session ended')}
                >
                  End
                </Button>
              )}
            </SecurityRow>
          ))}
        </SecurityList>
      )}
      {error && <CardProblem message={error} onRetry={() => void mySessions(device).reload()} />}
      {sessions.length > 1 && (
        <Button
          className="mt-3 text-danger!"
          pending={endingId === 'others'}
          onClick={() => void endWithToast('others', () => endOtherSessions(device), 'All other sessions ended')}
        >
          End all others
        </Button>
      )}
    </SecurityCard>
  )
}

function CurrentBadge() {
  return (
    <span className="inline-flex h-5 items-center rounded-badge bg-accent-soft px-2 text-xs font-medium text-accent-text">
      This session
    </span>
  )
}

/** Returns 'now' within the last minute, '20 minutes ago' within the last hour, otherwise the date and time. */
function lastSeenText({ last_seen_at, created_at }: MySession, now: Date): string {
  const seenAt = last_seen_at ?? created_at
  const minutes = Math.floor((now.getTime() - Date.parse(seenAt)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
  return formatMoment(seenAt, now)
}
