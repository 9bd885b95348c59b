import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ResetServer, startResetServer } from '../harness/reset-server.ts'
import { resetMany } from '../harness/resets.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { rawExchange, statusOf } from '../harness/raw-http.ts'

describe('connections that are reset', () => {
  let target: ResetServer

  beforeAll(async () => {
    target = await startResetServer()
  })
  afterAll(() => target?.stop())

  const expectAlive = async () => {
    expect(target.server.child?.exitCode).toBeNull()
    expect((await fetch(`${target.server.url}/readyz`)).status).toBe(200)
  }

  it('connections that are reset before the response to a refused upgrade do not stop the server', async () => {
    const { port } = new URL(target.server.url)
    const request = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    for (let round = 0; round < 60; round++) {
      const sockets = Array.from({ length: 3 }, () => connect(Number(port), '127.0.0.1'))
      for (const socket of sockets) {
        socket.on('error', () => {})
        socket.on('connect', () => socket.write(request, () => socket.resetAndDestroy()))
      }
      await Promise.all(sockets.map((socket) => once(socket, 'close')))
    }
    await expectAlive()
  })

  it('connections that are reset at any point of any request do not stop the server', async () => {
    const random = seededRandom(11)
    const resetsByKind = await resetMany(target.server.url, target.kinds, {
      count: 15 * target.kinds.length,
      together: 12,
      random,
    })
    expect([...resetsByKind.keys()].sort()).toEqual(target.kinds.map(({ name }) => name).sort())
    await expectAlive()
  })

  it('the method CONNECT is refused with 405', async () => {
    const response = await rawExchange(target.server.url, 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(statusOf(response)).toBe(405)
  })
})
