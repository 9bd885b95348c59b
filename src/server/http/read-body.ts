import type { IncomingMessage } from 'node:http'
import type { HeldBytes } from './byte-budget.ts'
import { refusal } from './errors.ts'

const emptyBody = Buffer.alloc(0)

/** How many bytes of a refused body are still read and discarded, so that the client can read the response. */
const maxDrainedBytes = 32 * 1024 * 1024

/** Whether the headers announce a body. */
export function hasBody(message: IncomingMessage): boolean {
  const length = message.headers['content-length']
  return (length !== undefined && length !== '0') || message.headers['transfer-encoding'] !== undefined
}

/** Whether the header `Content-Length` announces more than `limit` bytes. */
export function hasLengthOver(message: IncomingMessage, limit: number): boolean {
  return Number(message.headers['content-length'] ?? 0) > limit
}

/**
 * Reads the whole body of a request. Throws 413 if the announced length is over `limit` bytes, or as soon as more bytes
 * have arrived. Throws 503 if `held` accepts no more bytes (null: bytes are not counted). The listener's `requestTimeout`
 * disconnects a slow client; the promise then rejects.
 */
export function readBody(message: IncomingMessage, limit: number, held: HeldBytes | null): Promise<Buffer> {
  if (hasLengthOver(message, limit)) {
    drain(message)
    return Promise.reject(tooLargeRefusal(limit))
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      const isTaken = held?.take(chunk.length) ?? true
      if (size <= limit && isTaken) return
      message.off('data', onData)
      chunks.length = 0
      drain(message)
      reject(size > limit ? tooLargeRefusal(limit) : busyRefusal())
    }
    message.on('data', onData)
    message.on('end', () => resolve(chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? emptyBody)))
    message.on('error', reject)
  })
}

function drain(message: IncomingMessage): void {
  let drained = 0
  message.on('error', () => {})
  message.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > maxDrainedBytes) message.destroy()
  })
}

function busyRefusal() {
  const message = 'The server is receiving too many request bodies. Try again in a moment'
  return refusal('unavailable', { message, headers: { 'Retry-After': '1' } })
}

function tooLargeRefusal(limit: number) {
  const message = `The request body is too large: at most ${limit} bytes are accepted here`
  return refusal('payload_too_large', { message })
}
