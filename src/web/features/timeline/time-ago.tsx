import { fullMoment, relativeTime } from '#web/lib/relative-time.ts'
import { useNow } from '#web/lib/use-now.ts'

/** How long ago something was; under the pointer the whole moment. */
export function TimeAgo({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={fullMoment(at)} className="num shrink-0 text-ink2">
      {relativeTime(at, now)}
    </time>
  )
}
