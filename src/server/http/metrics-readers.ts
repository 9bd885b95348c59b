import { refusal } from './errors.ts'
import type { Handler, HttpRequest } from './exchange.ts'
import { addressTest } from './address.ts'

const loopbackRanges = ['127.0.0.0/8', '::1']

/** Who may read `/metrics`: nobody ('off'), this machine ('loopback'), or callers at these addresses and ranges. */
export type MetricsReaders = 'off' | 'loopback' | readonly string[]

/**
 * Lets only those callers through to `handler`. Behind a proxy that is not trusted (`TRUST_PROXY`) every caller seems to come from
 * the proxy's address, so a request that was forwarded is nobody's.
 */
export function forReaders(readers: MetricsReaders, trustsProxy: boolean, handler: Handler): Handler {
  if (readers === 'off') return async () => refuse('METRICS is off')
  const isReader = addressTest(readers === 'loopback' ? loopbackRanges : readers)
  return async (request) => {
    if (!trustsProxy && isForwarded(request)) return refuse('A proxy forwarded this request, and TRUST_PROXY is off')
    if (!isReader(request.ip)) return refuse(`METRICS does not allow your address, ${request.ip}`)
    if (request.method !== 'GET' && request.method !== 'HEAD') throw refusal('method_not_allowed')
    return handler(request)
  }
}

function isForwarded({ headers }: HttpRequest): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
}

function refuse(message: string): never {
  throw refusal('not_found', { message })
}
