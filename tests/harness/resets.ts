import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestKind } from './request-kinds.ts'

/** Maximum wait for the first byte of a response: some requests get none. */
const firstByteTimeoutMs = 250

/**
 * Opens a connection, sends the request and resets the connection (RST, not FIN) at a random point: within the request, right
 * after it, at the first bytes of the response, or later. Resolves when the connection is closed.
 */
export async function resetAtRandom(url: string, kind: RequestKind, random: () => number): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const isConnected = await Promise.race([once(socket, 'connect').then(() => true), closed.then(() => false)])
  if (!isConnected) throw new Error(`no connection to ${url}: the server is gone`)

  const bytes = kind.bytes()
  const point = random()
  if (point < 0.3) socket.write(bytes.subarray(0, 1 + Math.floor(random() * bytes.length)))
  else socket.write(bytes)
  if (point >= 0.6) {
    await Promise.race([once(socket, 'data'), sleep(firstByteTimeoutMs, undefined, { ref: false }), closed])
    const after = kind.after?.()
    if (after && !socket.destroyed) socket.write(after.subarray(0, 1 + Math.floor(random() * after.length)))
  }
  const pause = random()
  if (pause > 0.5) await sleep(pause * 6, undefined, { ref: false })
  if (!socket.destroyed) socket.resetAndDestroy()
  await closed
}

/**
 * Resets `count` connections, `together` of them in parallel, with all kinds of requests in turn. Returns the number of resets for each kind.
 * Throws if the server no longer accepts connections.
 */
export async function resetMany(
  url: string,
  kinds: readonly RequestKind[],
  { count, together, random }: { count: number; together: number; random: () => number },
): Promise<Map<string, number>> {
  const resetsByKind = new Map<string, number>()
  let nextIndex = 0
  const resetInTurn = async () => {
    while (nextIndex < count) {
      const kind = kinds[nextIndex++ % kinds.length] as RequestKind
      await resetAtRandom(url, kind, random)
      resetsByKind.set(kind.name, (resetsByKind.get(kind.name) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: together }, resetInTurn))
  return resetsByKind
}
