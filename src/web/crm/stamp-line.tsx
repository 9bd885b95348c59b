import { formatDay, formatMoment } from '#web/lib/dates.ts'

interface StampLineProps {
  createdAt: string
  /** The name of the person who created the record. Null if unknown. */
  createdBy: string | null
  /** The time of the last change. It is not shown if it is less than 1 s after `createdAt`. */
  changedAt: string
  changedBy: string | null
}

/** Says who created and changed a record, and when: 'Created 3 Nov by Tom Whitfield · Changed today, 09:42, by Ana Pryce'. */
export function StampLine({ createdAt, createdBy, changedAt, changedBy }: StampLineProps) {
  const createdText = `Created ${formatDay(createdAt)}${createdBy ? ` by ${createdBy}` : ''}`
  if (Date.parse(changedAt) - Date.parse(createdAt) < 1000) return <p className="num">{createdText}</p>
  const moment = formatMoment(changedAt).replace('Today', 'today')
  return <p className="num">{`${createdText} · Changed ${moment}${changedBy ? `, by ${changedBy}` : ''}`}</p>
}
