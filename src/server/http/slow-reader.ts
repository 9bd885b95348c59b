import type { ServerResponse } from 'node:http'

/** Responses up to this size have no time limit, because they fit into the operating system's buffers (bytes). */
const maxBytesWithoutTimeLimit = 256 * 1024
/** The time in which a client must read a response (ms). One second is added for each `minBytesPerSecond` bytes. */
const graceMs = 30_000
const minBytesPerSecond = 32 * 1024

/** Calls `done` when the operating system has taken the whole response or the client has disconnected. */
export function whenSent(response: ServerResponse, done: () => void): void {
  if (response.destroyed || response.writableFinished) done()
  else response.once('close', done)
}

/** Disconnects a client that reads a large response so slowly that the response would stay in memory for minutes. */
export function disconnectSlowReader(response: ServerResponse, bytes: number): void {
  if (bytes <= maxBytesWithoutTimeLimit) return
  const timer = setTimeout(() => response.destroy(), graceMs + (bytes / minBytesPerSecond) * 1000)
  timer.unref()
  whenSent(response, () => clearTimeout(timer))
}
