import { fullMoment, relativeTime } from '#web/lib/relative-time.ts'
import { useNow } from '#web/lib/use-now.ts'

/** Shows how long ago a moment was. The tooltip has the date and time. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullMoment(at)} className="num shrink-0 text-ink2">
      {relativeTime(at, now)}
    </time>
  )
}
