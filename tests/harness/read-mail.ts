/** A received mail. */
export interface ReceivedMail {
  /** The recipients of the envelope. */
  to: readonly string[]
  from: string
  subject: string
  headers: ReadonlyMap<string, string>
  text: string
  html: string
  /** The URLs of all links in the text part, in order. */
  links: readonly string[]
  /** The unparsed message. */
  raw: string
}

/** Parses a mail of one or more parts (RFC 2045 and 2047, as far as the server's own mails need). */
export function readMail(raw: string, to: readonly string[]): ReceivedMail {
  const { headers, body } = splitPart(raw)
  const bodies = new Map<string, string>()
  collectBodies(headers, body, bodies)
  const text = bodies.get('text/plain') ?? ''
  return {
    to,
    from: decodeWords(headers.get('from') ?? ''),
    subject: decodeWords(headers.get('subject') ?? ''),
    headers,
    text,
    html: bodies.get('text/html') ?? '',
    links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [],
    raw,
  }
}

function collectBodies(headers: ReadonlyMap<string, string>, body: string, bodies: Map<string, string>): void {
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary === undefined) {
    bodies.set(type.split(';')[0]?.trim().toLowerCase() ?? '', decodeBody(body, headers))
    return
  }
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const inner = splitPart(part.replace(/^\r?\n/, ''))
    collectBodies(inner.headers, inner.body, bodies)
  }
}

function splitPart(part: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(part)
  const head = end ? part.slice(0, end.index) : part
  const headers = new Map<string, string>()
  for (const line of head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: end ? part.slice(end.index + end[0].length) : '' }
}

function decodeBody(body: string, headers: ReadonlyMap<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll(/=\r?\n/g, '')) : body
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodeWords(text: string): string {
  const joinedText = text.replaceAll(/\?=\s+=\?/g, '?==?')
  return joinedText.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
    kind.toLowerCase() === 'b'
      ? Buffer.from(coded, 'base64').toString('utf8')
      : decodeQuoted(coded.replaceAll('_', ' ')),
  )
}
