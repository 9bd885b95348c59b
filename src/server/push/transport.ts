import { lookup as resolveName } from 'node:dns'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface PushRequest {
  endpoint: string
  headers: Record<string, string>
  body: Buffer
}

/** Sends a request to a push service and returns the status of its answer. Rejects where none came. */
export type PushTransport = (push: PushRequest) => Promise<number>

const timeoutMs = 10_000

/**
 * By https, to addresses that `mayReach` allows. The address that was checked is the one that is connected to, so a name that changes between
 * check and connection gains nothing. Redirects are not followed.
 */
export function httpsTransport(mayReach = isPublicAddress, ca?: string): PushTransport {
  const lookup: LookupFunction = (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const [first] = found
      if (!first || !found.every(({ address }) => mayReach(address)))
        return done(new Error('The push service has an address that is not public'), [])
      if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })
  }
  return ({ endpoint, headers, body }) =>
    new Promise((resolve, reject) => {
      // An address in place of a name would not be looked up.
      if (isIP(new URL(endpoint).hostname.replaceAll(/[[\]]/g, '')) > 0)
        return reject(new Error('The push service has no name'))
      const signal = AbortSignal.timeout(timeoutMs)
      const sent = request(endpoint, { method: 'POST', headers, lookup, signal, agent: false, ca }, (answer) => {
        resolve(answer.statusCode ?? 0)
        // The rest of the answer is of no use.
        answer.destroy()
      })
      sent.on('error', reject)
      sent.end(body)
    })
}
