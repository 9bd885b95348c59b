import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import type { Socket } from './socket.ts'
import { SocketRegister } from './socket-register.ts'

const socketOf = (id: number) => ({ id: String(id) }) as Socket
const hasNoChannels = () => false

test('an anonymous socket without a channel is idle after 30 s; a socket with a channel or a user is never idle', () => {
  const register = new SocketRegister()
  const [empty, joined, signedIn] = [socketOf(1), socketOf(2), socketOf(3)]
  for (const added of [empty, joined, signedIn]) register.add(added, '198.51.100.1', false)
  register.assignUser(signedIn, 'ana')
  const now = performance.now()
  const idleAt = (milliseconds: number) => [
    ...register.findIdle((candidate) => candidate === joined, now + milliseconds),
  ]
  expect(idleAt(29_000)).toEqual([])
  expect(idleAt(31_000)).toEqual([empty])
  // From here on, `joined` has no channel. Its 30 s start at the next call of `findIdle`.
  expect([...register.findIdle(hasNoChannels, now + 40_000)]).toEqual([empty])
  expect([...register.findIdle(hasNoChannels, now + 71_000)]).toEqual([empty, joined])
})

test('a server accepts at most 10,000 sockets in total; beyond that, a socket of the secret key is refused too', () => {
  const register = new SocketRegister()
  for (let i = 0; i < 10_000; i++) {
    expect(register.refusalReason(`network ${i}`, false)).toBeNull()
    register.add(socketOf(i), `network ${i}`, false)
  }
  for (const isService of [false, true])
    expect(register.refusalReason('another', isService)).toBe('This server has as many live connections as it can hold')
})

test('a network may have 500 sockets of all its users together; beyond that, a socket of the secret key is still accepted', () => {
  const register = new SocketRegister()
  for (let i = 0; i < limits.socketsOfNetwork; i++) {
    const signedInSocket = socketOf(i)
    expect(register.refusalReason('198.51.100.1', false)).toBeNull()
    register.add(signedInSocket, '198.51.100.1', false)
    register.assignUser(signedInSocket, `user ${i}`)
  }
  expect(register.refusalReason('198.51.100.1', false)).toContain('at most 500')
  expect(register.refusalReason('198.51.100.2', false)).toBeNull()
  expect(register.refusalReason('198.51.100.1', true)).toBeNull()
})
