import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Which proxies are trusted to write `X-Forwarded-For`: as many proxies as `hops` says, counted from this server, or the
 * proxies with these IP addresses.
 */
export type TrustProxy = { hops: number } | { addresses: readonly string[] }

/** Whether at least one proxy is trusted. */
export function hasTrustedProxy(trust: TrustProxy): boolean {
  return !('hops' in trust) || trust.hops > 0
}

/**
 * Creates the function that returns the client's IP address. It reads `X-Forwarded-For` from the right, because the nearest
 * proxy writes at the right end. It stops at the first IP address that does not belong to a trusted proxy. It also stops at a
 * text that is not an IP address, and then returns the last address that it has read. If `trust` describes the proxies
 * correctly, a value that the client wrote into the header is therefore never used.
 */
export function createClientIpReader(trust: TrustProxy): (message: IncomingMessage) => string {
  if (!hasTrustedProxy(trust)) return (message) => normalAddress(message.socket.remoteAddress)
  const isProxy = 'hops' in trust ? (_: string, hop: number) => hop < trust.hops : createIpMatcher(trust.addresses)

  return (message) => {
    let address = normalAddress(message.socket.remoteAddress)
    const forwarded = forwardedFor(message)
    for (let hop = 0; isProxy(address, hop); hop++) {
      const forwardedAddress = forwarded.pop()
      if (forwardedAddress === undefined || isIP(forwardedAddress) === 0) break
      address = normalAddress(forwardedAddress)
    }
    return address
  }
}

function forwardedFor(message: IncomingMessage): string[] {
  const header = message.headers['x-forwarded-for']
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Creates the function that says whether an IP address is one of `addresses` or in one of their ranges (`10.0.0.0/8`). */
export function createIpMatcher(addresses: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of addresses) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * Normalises an IP address. On a dual-stack socket an IPv4 address arrives as `::ffff:1.2.3.4`; the prefix is removed. The
 * zone of a link-local address (`fe80::1%eth0`) is removed too, because PostgreSQL's `inet` has no zones.
 */
function normalAddress(address: string | undefined): string {
  if (address === undefined) return ''
  const [bare = ''] = address.split('%')
  return bare.startsWith('::ffff:') ? bare.slice(7) : bare
}
