import { refusal } from './errors.ts'
import type { Handler, HttpRequest } from './exchange.ts'
import { createAddressTest } from './address.ts'

const loopbackRanges = ['127.0.0.0/8', '::1']

/** Who may read `/metrics`: nobody ('off'), this machine ('loopback'), or callers at these addresses and ranges. */
export type MetricsReaders = 'off' | 'loopback' | readonly string[]

/**
 * Lets only these callers through to `handler`. Behind an untrusted proxy (see `TRUST_PROXY`) every caller has the
 * proxy's address, so a forwarded request is refused.
 */
export function restrictToReaders(readers: MetricsReaders, trustsProxy: boolean, handler: Handler): Handler {
  if (readers === 'off') return async () => refuse('METRICS is off')
  const isReader = createAddressTest(readers === 'loopback' ? loopbackRanges : readers)
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
