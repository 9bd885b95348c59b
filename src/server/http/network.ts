import { isIPv6 } from 'node:net'

/**
 * Returns the network of an IP address: an IPv4 address itself, or the /64 of an IPv6 address, because one client may
 * control all addresses of a /64.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const after = tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}
