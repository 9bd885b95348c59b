/** An event of a feed, as the product's SQL returns it. Times are ISO 8601. */
export interface CalendarEvent {
  id: string
  /** The path of the app's page that shows the task. */
  path: string
  summary: string
  /** The description of the event, with line breaks. It may be empty. */
  description: string
  /** The day (`YYYY-MM-DD`) of an event without a time of day. Null: the event begins at `at`. */
  day: string | null
  at: string
  changed_at: string
  version: number
}

/**
 * The length that calendars show for an event with a time of day. A task itself has no length, only the time at which it
 * is due.
 */
const timedEventDuration = 'PT30M'

/**
 * Returns a calendar in iCalendar format (RFC 5545). The events do not mark the person as busy and have no alarms. The text
 * depends only on the arguments, so that an unchanged feed has the same ETag.
 */
export function toICalendar(
  { name, events }: { name: string; events: readonly CalendarEvent[] },
  siteUrl: string,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Banyan CRM//Calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap((event) => linesOf(event, siteUrl)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

function linesOf(event: CalendarEvent, siteUrl: string): string[] {
  const { id, path, summary, description, day, at, changed_at, version } = event
  const changed = formatUtc(changed_at)
  const url = siteUrl + path
  return [
    'BEGIN:VEVENT',
    `UID:${id}@banyan-crm`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${version}`,
    ...(day === null
      ? [`DTSTART:${formatUtc(at)}`, `DURATION:${timedEventDuration}`]
      : [`DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`, 'DURATION:P1D']),
    `SUMMARY:${escapeText(summary)}`,
    `DESCRIPTION:${[description, url].filter(Boolean).map(escapeText).join('\\n')}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** Formats a time in UTC for iCalendar, such as '20261123T093000Z'. */
function formatUtc(moment: string): string {
  return new Date(moment).toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Returns a text in the form of a property's value: with escapes, and without control characters other than tabs and line breaks. */
function escapeText(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
}

const maxLineBytes = 75

/** Splits a long line into lines of at most 75 bytes, never inside a character. The second and later lines begin with a space. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= maxLineBytes) return line
  let [folded, current, bytes] = ['', '', 0]
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes + size > maxLineBytes) {
      folded += `${current}\r\n `
      ;[current, bytes] = ['', 1]
    }
    current += character
    bytes += size
  }
  return folded + current
}
