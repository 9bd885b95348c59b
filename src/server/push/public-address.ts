import { BlockList } from 'node:net'

/**
 * Whether an IP address belongs to the public internet. The endpoint of a push comes from a client, and its host name may
 * resolve to a machine in the operator's own network. Services there trust every client in this network, so no push may
 * reach them (SSRF).
 */
export function isPublicAddress(address: string): boolean {
  const isV6 = address.includes(':')
  // Only global unicast IPv6 addresses (2000::/3) are public. Some ranges of them are not public either (`nonPublicRanges`): protocol
  // assignments with Teredo tunnels, 6to4 tunnels, which contain IPv4 addresses, and documentation.
  if (isV6) return globalIpv6Range.check(address, 'ipv6') && !nonPublicRanges.check(address, 'ipv6')
  return !nonPublicRanges.check(address, 'ipv4')
}

const globalIpv6Range = new BlockList()
globalIpv6Range.addSubnet('2000::', 3, 'ipv6')

const nonPublicRanges = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  nonPublicRanges.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  nonPublicRanges.addSubnet(net, prefix, 'ipv6')
