import type { Duplex } from 'node:stream'

/** Refuses a WebSocket request above a limit with 429 and this message, and closes the connection. */
export function refuseOverLimit(stream: Duplex, message: string): void {
  const body = JSON.stringify({ message })
  stream.on('error', () => stream.destroy())
  stream.end(
    `HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => stream.destroy(),
  )
}
