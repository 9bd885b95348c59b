import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { type TrustProxy, hasTrustedProxy } from './ip-address.ts'

/**
 * Creates the function that notices a proxy that is not trusted: if no proxy is trusted, it logs one warning, for the first
 * request with `X-Forwarded-For`. Behind such a proxy all clients have its IP address, so the limit on sign-ins of one network
 * applies to all of them together.
 */
export function createProxyWarning(trust: TrustProxy, log: Pick<Logger, 'warn'>): (message: IncomingMessage) => void {
  let isDone = hasTrustedProxy(trust)
  return ({ headers }) => {
    if (isDone || headers['x-forwarded-for'] === undefined) return
    isDone = true
    log.warn(
      'a request has the header X-Forwarded-For, but TRUST_PROXY is off: if a proxy forwards the requests, set TRUST_PROXY; otherwise all clients share the limits of one network',
    )
  }
}
