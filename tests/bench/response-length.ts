/** The length in bytes of the answer that starts here, when its headers are complete. */
export function answerLength(received: Buffer): number | null {
  const headersEnd = received.indexOf('\r\n\r\n')
  if (headersEnd < 0) return null
  const headers = received.toString('latin1', 0, headersEnd)
  return headersEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0)
}
