import { connect } from 'node:net'
import type { Client } from 'pg'

const cancelRequestCode = 80_877_102
/** Milliseconds. */
const timeoutMs = 1_000

/**
 * Asks PostgreSQL to end what `client` has sent, over a wire of its own as the protocol has it. Resolves when PostgreSQL
 * has taken notice: the statement then fails with 57014, if it still runs. False: it did not answer, and what `client`
 * sends next may be what it ends. Never rejects.
 */
export function cancelRunning(client: Client): Promise<boolean> {
  const { host, port, processID, secretKey } = client as Client & { processID: number; secretKey: number }
  let isHeard = false
  return new Promise((resolve) => {
    const wire = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }, () => {
      const packet = Buffer.alloc(16)
      packet.writeInt32BE(16, 0)
      packet.writeInt32BE(cancelRequestCode, 4)
      packet.writeInt32BE(processID, 8)
      packet.writeInt32BE(secretKey, 12)
      wire.write(packet)
    })
    // PostgreSQL closes it once the signal is sent.
    wire.on('end', () => {
      isHeard = true
    })
    wire.setTimeout(timeoutMs, () => wire.destroy())
    wire.on('error', () => wire.destroy())
    wire.on('close', () => resolve(isHeard))
    wire.resume()
  })
}
