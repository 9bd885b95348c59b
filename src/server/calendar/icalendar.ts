/** One event of a feed, as the product's SQL gives it. Moments are ISO. */
export interface CalendarEvent {
  id: string
  /** The page of the app that shows it. */
  path: string
  summary: string
  /** Lines of text; may be empty. */
  description: string
  /** The day (`YYYY-MM-DD`) of an event without a time; else null, and `at` is its time. */
  day: string | null
  at: string
  changed_at: string
  version: number
}

/** How long an event with a time is shown. A task has a time at which it is due, and no length. */
const duration = 'PT30M'

/**
 * A calendar in iCalendar (RFC 5545). Events do not make their person busy and have no alarm of their own. The same events give the same
 * text, so that it can be recognised as unchanged.
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
    `X-WR-CALNAME:${text(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap((event) => linesOf(event, siteUrl)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function linesOf(event: CalendarEvent, siteUrl: string): string[] {
  const { id, path, summary, description, day, at, changed_at, version } = event
  const changed = utc(changed_at)
  const url = siteUrl + path
  return [
    'BEGIN:VEVENT',
    `UID:${id}@banyan-crm`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${version}`,
    ...(day === null
      ? [`DTSTART:${utc(at)}`, `DURATION:${duration}`]
      : [`DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`, 'DURATION:P1D']),
    `SUMMARY:${text(summary)}`,
    `DESCRIPTION:${[description, url].filter(Boolean).map(text).join('\\n')}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** '20261123T093000Z'. */
function utc(moment: string): string {
  return new Date(moment).toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Text as a value: escaped, without control characters. */
function text(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
}

const maxLineBytes = 75

/** A line in pieces of at most 75 bytes, none of which ends inside of a character. Each further piece begins with a space. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= maxLineBytes) return line
  let [whole, piece, bytes] = ['', '', 0]
  for (const character of line) {
    const code = character.codePointAt(0) ?? 0
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes + size > maxLineBytes) {
      whole += `${piece}\r\n `
      ;[piece, bytes] = ['', 1]
    }
    piece += character
    bytes += size
  }
  return whole + piece
}
