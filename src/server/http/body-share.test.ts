import { connect, type Socket } from 'node:net'
import pino from 'pino'
import { expect, it } from 'vitest'
import { createListener } from './listener.ts'

const mebibyte = 1024 * 1024

it('the IP addresses of one IPv6 network share one limit on the bytes of request bodies', async () => {
  const listener = createListener({
    handler: async () => ({ status: 204 }),
    commonHeaders: () => ({}),
    log: pino({ level: 'silent' }),
    trustProxy: { hops: 1 },
    bodyLimit: () => 8 * mebibyte,
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const sockets: Socket[] = []

  /**
   * Announces a body of one byte less than 8 MiB, and sends it without its last byte. Returns the status if the server
   * refuses the request, or 'waits' if no response comes within 3 s.
   */
  const sendIncompleteBody = (address: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      const length = 8 * mebibyte - 1
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${length}\r\n\r\n`)
      socket.write(Buffer.alloc(length - 1))
      socket.once('data', (chunk) => resolve(chunk.toString().slice(9, 12)))
      socket.on('error', () => {})
      setTimeout(() => resolve('waits'), 3_000)
    })

  try {
    const outcomes = await Promise.all(Array.from({ length: 7 }, (_, n) => sendIncompleteBody(`2001:db8:1:1::${n}`)))
    expect(outcomes.toSorted()).toEqual(['503', 'waits', 'waits', 'waits', 'waits', 'waits', 'waits'])
    expect(await sendIncompleteBody('2001:db8:1:2::1')).toBe('waits')
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => listener.close(resolve))
  }
})
