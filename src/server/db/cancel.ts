import { connect } from 'node:net'
import type { Client } from 'pg'

const cancelRequestCode = 80_877_102
const timeoutMs = 1_000

/**
 * Asks PostgreSQL to cancel the running statement of `client`, over a separate connection, as the protocol requires.
 * Resolves with true when PostgreSQL has received the request: the statement then fails with 57014 if it still runs.
 * Resolves with false if PostgreSQL does not answer within 1 s: the request may still arrive later and cancel the next statement of
 * `client`. Never rejects.
 */
export function cancelRunningStatement(client: Client): Promise<boolean> {
  const { host, port, processID, secretKey } = client as Client & { processID: number; secretKey: number }
  let isAnswered = false
  return new Promise((resolve) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }, () => {
      const packet = Buffer.alloc(16)
      packet.writeInt32BE(16, 0)
      packet.writeInt32BE(cancelRequestCode, 4)
      packet.writeInt32BE(processID, 8)
      packet.writeInt32BE(secretKey, 12)
      socket.write(packet)
    })
    // PostgreSQL closes this connection after it has sent a signal to the process that runs the statement.
    socket.on('end', () => {
      isAnswered = true
    })
    socket.setTimeout(timeoutMs, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(isAnswered))
    socket.resume()
  })
}
