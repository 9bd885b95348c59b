import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Which forwarded addresses count: those that this many proxies, or proxies at these addresses, have written. */
export type TrustProxy = { hops: number } | { addresses: readonly string[] }

/**
 * Makes the function that tells the caller's address. `X-Forwarded-For` is read from its right end, where the nearest
 * proxy wrote, and only as far as proxies are trusted: what a caller writes into it himself never counts.
 */
export function createAddressReader(trust: TrustProxy): (message: IncomingMessage) => string {
  if ('hops' in trust && trust.hops === 0) return (message) => plain(message.socket.remoteAddress)
  const isProxy = 'hops' in trust ? (_: string, hop: number) => hop < trust.hops : addressTest(trust.addresses)

  return (message) => {
    let address = plain(message.socket.remoteAddress)
    const forwarded = forwardedFor(message)
    for (let hop = 0; isProxy(address, hop); hop++) {
      const before = forwarded.pop()
      if (before === undefined || isIP(before) === 0) break
      address = plain(before)
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

/** Whether an address is one of these or lies in one of these ranges (`10.0.0.0/8`). */
export function addressTest(addresses: readonly string[]): (address: string) => boolean {
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
 * An IPv4 address that came over a dual-stack socket is the IPv4 address. The zone of a link-local one (`fe80::1%eth0`) names an
 * interface of this machine and goes: the database's addresses have none.
 */
function plain(address: string | undefined): string {
  if (address === undefined) return ''
  const [bare = ''] = address.split('%')
  return bare.startsWith('::ffff:') ? bare.slice(7) : bare
}
