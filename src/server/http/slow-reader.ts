import type { ServerResponse } from 'node:http'

/** An answer of this size lies in the system's own buffers. Bytes. */
const unlimitedBytes = 256 * 1024
/** Time for any answer, and for each so many bytes a second more. */
const graceMs = 30_000
const minBytesPerSecond = 32 * 1024

/** Calls `done` once the answer is with the system, or its caller is gone. */
export function whenSent(response: ServerResponse, done: () => void): void {
  if (response.destroyed || response.writableFinished) done()
  else response.once('close', done)
}

/** Cuts off a caller who takes a large answer so slowly that it would lie in memory for minutes. */
export function cutSlowReader(response: ServerResponse, bytes: number): void {
  if (bytes <= unlimitedBytes) return
  const timer = setTimeout(() => response.destroy(), graceMs + (bytes / minBytesPerSecond) * 1000)
  timer.unref()
  whenSent(response, () => clearTimeout(timer))
}
