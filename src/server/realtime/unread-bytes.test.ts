import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import { anonymousCaller } from './caller-token.ts'
import { Socket } from './socket.ts'
import { UnreadBytes } from './unread-bytes.ts'

const totalBytes = 512 * 1024
const longText = 'x'.repeat(60_000)

let server: WebSocketServer
let unread: UnreadBytes

beforeEach(async () => {
  unread = new UnreadBytes(totalBytes)
  server = new WebSocketServer({ port: 0, perMessageDeflate: false })
  await once(server, 'listening')
})
afterEach(() => {
  for (const client of server.clients) client.terminate()
  server.close()
})

/** Opens a connection and returns the server's side of it. `reads`: whether the client reads what it is sent. */
async function openSocket({ reads }: { reads: boolean }): Promise<Socket> {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[ws]] = await Promise.all([once(server, 'connection'), once(client, 'open')])
  if (!reads) client.pause()
  const handler = { onFrame: async () => {}, onClose: () => {}, onError: () => {} }
  return new Socket('id', anonymousCaller, '2.0.0', ws as WebSocket, handler, unread)
}

test('many clients that read nothing use limited memory together and are disconnected; a client that reads stays connected', async () => {
  const slow: Socket[] = []
  for (let i = 0; i < 10; i++) slow.push(await openSocket({ reads: false }))
  const quick = await openSocket({ reads: true })
  let maxUnread = 0
  // The operating system buffers some megabytes for each client.
  for (let i = 0; i < 300 && slow.some((socket) => socket.isOpen); i++) {
    for (const socket of [...slow, quick]) socket.sendText(longText)
    maxUnread = Math.max(maxUnread, unread.bytes)
    await sleep(2)
  }
  // In addition to the limit, each of the 11 sockets may have the unread bytes that are always allowed, and one text.
  expect(maxUnread).toBeLessThan(totalBytes + 11 * 130_000)
  expect(slow.filter((socket) => socket.isOpen)).toEqual([])
  expect(quick.isOpen).toBe(true)
  await expect.poll(() => unread.bytes).toBe(0)
})
