import { refusal } from './errors.ts'
import type { Handler, HttpRequest } from './exchange.ts'
import { createIpMatcher } from './ip-address.ts'
import { requireReadMethod } from './read-method.ts'

const loopbackRanges = ['127.0.0.0/8', '::1']

/**
 * The clients that may read `/metrics`: no client ('off'), clients on this machine ('loopback'), or clients with these IP
 * addresses and ranges.
 */
export type MetricsReaders = 'off' | 'loopback' | readonly string[]

/**
 * Returns a handler that calls `handler` only for requests of `readers`, and refuses all others with 404. Behind an untrusted proxy
 * (see `TRUST_PROXY`), or a proxy that does not write `X-Forwarded-For`, every client seems to have the proxy's IP address, so a forwarded request is
 * refused.
 */
export function restrictToReaders(readers: MetricsReaders, trustsProxy: boolean, handler: Handler): Handler {
  if (readers === 'off')
    return async () =>
      refuse('METRICS is off: set it to loopback, or to the IP address of the program that reads the metrics')
  const isReader = createIpMatcher(readers === 'loopback' ? loopbackRanges : readers)
  return async (request) => {
    if (isForwarded(request) && !(trustsProxy && request.headers['x-forwarded-for']))
      return refuse(
        'A proxy forwarded this request: set TRUST_PROXY, and let the proxy write X-Forwarded-For, so that the server knows the IP address of the program that reads the metrics',
      )
    if (!isReader(request.ip)) return refuse(`METRICS does not allow your IP address, ${request.ip}`)
    requireReadMethod(request)
    return handler(request)
  }
}

function isForwarded({ headers }: HttpRequest): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
}

function refuse(message: string): never {
  throw refusal('not_found', { message })
}
