import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileRequest } from './hostile-requests.ts'
import { rawConnection } from './raw-http.ts'

/** The result of a hostile request. */
export interface HostileResult {
  /** 0 if the server closed the connection without a response, or the sender did not wait. */
  status: number
  /** Bytes of headers and body. */
  bytes: number
  ms: number
}

/** How long a sender that reads slowly or never reads stays connected. */
const holdMs = 3_000
/** Timeout of a sender. No response of this server takes longer. */
const timeoutMs = 40_000

/** Sends one hostile request on its own connection, and treats the response as the request's `behaviour` says. */
export async function sendHostile(
  url: string,
  headers: Record<string, string>,
  request: HostileRequest,
): Promise<HostileResult> {
  const startedAt = performance.now()
  const socket = rawConnection(url, requestText({ 'content-type': 'application/json', ...headers }, request))
  let status = 0
  let bytes = 0
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  if (request.behaviour === 'disconnects') {
    await sleep(20)
    socket.destroy()
  } else if (request.behaviour === 'never reads') {
    socket.pause()
    await sleep(holdMs)
    socket.destroy()
  } else {
    socket.on('data', (chunk: Buffer) => {
      if (bytes === 0) status = Number(chunk.toString('latin1', 9, 12)) || 0
      bytes += chunk.length
      if (request.behaviour === 'reads') return
      socket.pause()
      setTimeout(() => (performance.now() - startedAt > holdMs ? socket.destroy() : socket.resume()), 50)
    })
    socket.setTimeout(timeoutMs, () => socket.destroy())
  }
  await closed
  return { status, bytes, ms: performance.now() - startedAt }
}

function requestText(
  headers: Record<string, string>,
  { method, target, headers: ownHeaders, body = '' }: HostileRequest,
): string {
  const allHeaders = {
    host: 'x',
    connection: 'close',
    ...headers,
    ...ownHeaders,
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
