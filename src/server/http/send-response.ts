import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpResponse } from './exchange.ts'
import { disconnectSlowReader } from './slow-reader.ts'

const compress = promisify(gzip)

/** JSON up to this size is not compressed (bytes), because compression would save hardly any bytes or time. */
const maxUncompressedBytes = 4096

/**
 * Writes a response. Large JSON is compressed, in another thread, if the client accepts gzip. HEAD gets the headers of GET without a body, and
 * no length if the handler has not created the body; 204 and 304 have no body and no length. Nothing is written after the client has
 * disconnected.
 */
export async function sendResponse(
  message: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body }: HttpResponse,
): Promise<void> {
  if (response.destroyed) return
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
  let content = body
  if (content !== undefined && content.length > maxUncompressedBytes && isPlainJson(headers)) {
    response.appendHeader('Vary', 'Accept-Encoding')
    if (acceptsCoding(message.headers['accept-encoding'], 'gzip')) {
      content = await compress(content, { level: 1 })
      if (response.destroyed) return
      response.setHeader('Content-Encoding', 'gzip')
    }
  }
  const hasBody = status !== 204 && status !== 304
  const isLengthKnown = content !== undefined || message.method !== 'HEAD'
  const length = content === undefined ? 0 : Buffer.byteLength(content)
  if (hasBody && isLengthKnown) response.setHeader('Content-Length', length)
  response.writeHead(status)
  response.end(hasBody ? content : undefined)
  disconnectSlowReader(response, length)
}

function isPlainJson(headers: Record<string, string>): boolean {
  return headers['Content-Encoding'] === undefined && (headers['Content-Type'] ?? '').includes('json')
}

/** Whether `Accept-Encoding` names `coding` without `q=0`. `*` does not count. */
export function acceptsCoding(header: string | string[] | undefined, coding: string): boolean {
  if (header === undefined) return false
  for (const part of String(header).split(',')) {
    const [name = '', ...parameters] = part.split(';')
    if (name.trim().toLowerCase() !== coding) continue
    return !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
  }
  return false
}
