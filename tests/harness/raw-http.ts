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

/** Sends bytes and returns everything received until the server closes, or until nothing has arrived for `quietMs`. */
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

/** Returns the status of the first response. 0 without a response. */
export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)
}
