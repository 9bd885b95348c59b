import type { ServerResponse } from 'node:http'

/** Smaller answers have no time limit: they fit into the system's buffers (bytes). */
const unlimitedBytes = 256 * 1024
/** Time for any answer, plus one second for each `minBytesPerSecond` bytes. */
const graceMs = 30_000
const minBytesPerSecond = 32 * 1024

/** Calls `done` when the answer is handed to the system or the caller has disconnected. */
export function whenSent(response: ServerResponse, done: () => void): void {
  if (response.destroyed || response.writableFinished) done()
  else response.once('close', done)
}

/** Disconnects a caller who reads a large answer so slowly that it would stay in memory for minutes. */
export function disconnectSlowReader(response: ServerResponse, bytes: number): void {
  if (bytes <= unlimitedBytes) return
  const timer = setTimeout(() => response.destroy(), graceMs + (bytes / minBytesPerSecond) * 1000)
  timer.unref()
  whenSent(response, () => clearTimeout(timer))
}
