/**
 * Returns the length in bytes of the response at the start of `received`. Null while its headers are incomplete. A response
 * without Content-Length counts as one without a body.
 */
export function responseLength(received: Buffer): number | null {
  const headersEnd = received.indexOf('\r\n\r\n')
  if (headersEnd < 0) return null
  const headers = received.toString('latin1', 0, headersEnd)
  return headersEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0)
}
