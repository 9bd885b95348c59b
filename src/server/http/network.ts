import { isIPv6 } from 'node:net'

/** Returns the network of an IP address, all of which one client may control: the IPv4 address itself, or the IPv6 /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const after = tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}
