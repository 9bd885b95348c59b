import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'
import { httpsTransport } from './transport.ts'

it('only IP addresses of the public internet count as public', () => {
  for (const address of ['8.8.8.8', '142.250.0.1', '2a00:1450:4001::200a', '2606:4700::1111'])
    expect(isPublicAddress(address), address).toBe(true)
  const nonPublicAddresses =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 203.0.113.9 ::1 :: fe80::1 fc00::1 fd12::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ff02::1 2001:db8::1 2001::1'
  for (const address of nonPublicAddresses.split(' ')) expect(isPublicAddress(address), address).toBe(false)
})

it('a host name of the server’s own network, and an IP address in the URL, are refused before a connection is made', async () => {
  const send = httpsTransport()
  const push = { headers: {}, body: Buffer.alloc(0) }
  await expect(send({ ...push, endpoint: 'https://localhost:1/a' })).rejects.toThrow('not public')
  for (const host of ['127.0.0.1', '[::1]', '0x7f.1'])
    await expect(send({ ...push, endpoint: `https://${host}:1/a` })).rejects.toThrow(
      'an IP address instead of a host name',
    )
  // If this address is allowed, a connection is made, and it fails.
  const sendAnywhere = httpsTransport(() => true)
  await expect(sendAnywhere({ ...push, endpoint: 'https://localhost:1/a' })).rejects.toThrow('ECONNREFUSED')
})
