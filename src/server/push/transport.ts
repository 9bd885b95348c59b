import { lookup as resolveName } from 'node:dns'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface PushRequest {
  endpoint: string
  headers: Record<string, string>
  body: Buffer
}

/** Sends a request to a push service and returns the status of the response. Rejects if the URL is refused or no response comes. */
export type PushTransport = (push: PushRequest) => Promise<number>

const timeoutMs = 10_000

/**
 * Creates the transport that sends over https. It sends to a host name only if `mayReach` allows all IP addresses of this
 * name. It connects to an address that it has checked, so a host name that resolves to another address later cannot evade
 * the check. Redirects are not followed. `ca`: the certificate that is trusted instead of the usual authorities, for tests.
 */
export function httpsTransport(mayReach = isPublicAddress, ca?: string): PushTransport {
  const lookup: LookupFunction = (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => mayReach(address)))
        return done(new Error('The push service has an address that is not public'), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
  return ({ endpoint, headers, body }) =>
    new Promise((resolve, reject) => {
      // Node does not call `lookup` for an IP address in the URL, so this address would not be checked.
      if (isIP(new URL(endpoint).hostname.replaceAll(/[[\]]/g, '')) > 0)
        return reject(new Error('The URL of the push service has an IP address instead of a host name'))
      const signal = AbortSignal.timeout(timeoutMs)
      const outgoing = request(endpoint, { method: 'POST', headers, lookup, signal, agent: false, ca }, (response) => {
        resolve(response.statusCode ?? 0)
        // The body of the response is not needed.
        response.destroy()
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
}
