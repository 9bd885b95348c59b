import { connect, type Socket } from 'node:net'

/** Opens a connection and writes these bytes unchanged. */
export function rawConnection(url: string, bytes: string | Buffer): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  return socket
}

/** Time limit for the first byte, long enough for a loaded machine. */
const firstByteTimeoutMs = 10_000

/** Everything that comes back until the server closes, or until nothing more has come for `quietMs`. */
export function rawExchange(url: string, bytes: string | Buffer, quietMs = 200): Promise<string> {
  return new Promise((resolve) => {
    const socket = rawConnection(url, bytes)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      socket.setTimeout(quietMs)
    })
    socket.setTimeout(firstByteTimeoutMs, () => socket.destroy())
    socket.on('close', () => resolve(text))
  })
}

/** The status of the first answer; 0 without one. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}
