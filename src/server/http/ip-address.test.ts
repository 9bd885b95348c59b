import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createClientIpReader, type TrustProxy } from './ip-address.ts'

function clientIpOf(trust: TrustProxy, remoteAddress: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createClientIpReader(trust)({ headers, socket: { remoteAddress } } as unknown as IncomingMessage)
}

describe('the client’s IP address', () => {
  it('the client’s IP address is the address of the connection if no proxy is trusted', () => {
    expect(clientIpOf({ hops: 0 }, '192.0.2.1', '203.0.113.5')).toBe('192.0.2.1')
    expect(clientIpOf({ hops: 0 }, '::ffff:192.0.2.1')).toBe('192.0.2.1')
  })

  it('with n trusted proxies, the client’s IP address is the n-th from the right in X-Forwarded-For; in a shorter header the leftmost one; without the header the address of the connection', () => {
    expect(clientIpOf({ hops: 1 }, '10.0.0.1', '1.1.1.1, 203.0.113.5')).toBe('203.0.113.5')
    expect(clientIpOf({ hops: 2 }, '10.0.0.1', '1.1.1.1, 203.0.113.5, 10.0.0.2')).toBe('203.0.113.5')
    expect(clientIpOf({ hops: 2 }, '10.0.0.1', '203.0.113.5')).toBe('203.0.113.5')
    expect(clientIpOf({ hops: 1 }, '10.0.0.1')).toBe('10.0.0.1')
  })

  it('the client’s IP address is the first one that does not belong to a trusted proxy: first the address of the connection, then X-Forwarded-For from the right', () => {
    const trust = { addresses: ['10.0.0.0/8', '::1'] }
    expect(clientIpOf(trust, '10.0.0.1', '1.1.1.1, 203.0.113.5, 10.9.9.9')).toBe('203.0.113.5')
    expect(clientIpOf(trust, '::1', '203.0.113.5')).toBe('203.0.113.5')
    expect(clientIpOf(trust, '192.0.2.1', '203.0.113.5')).toBe('192.0.2.1')
  })

  it('the client’s IP address does not contain the zone of a link-local address, which the database would refuse', () => {
    expect(clientIpOf({ hops: 0 }, 'fe80::1%eth0')).toBe('fe80::1')
    expect(clientIpOf({ hops: 1 }, '10.0.0.1', 'fe80::2%wlan0')).toBe('fe80::2')
    expect(clientIpOf({ addresses: ['fe80::/10'] }, 'fe80::1%eth0', '203.0.113.5')).toBe('203.0.113.5')
  })

  it('X-Forwarded-For is read from the right only up to an invalid text; if this text is at the right end, the IP address of the connection is used', () => {
    expect(clientIpOf({ hops: 2 }, '10.0.0.1', '1.1.1.1, unknown')).toBe('10.0.0.1')
  })
})
