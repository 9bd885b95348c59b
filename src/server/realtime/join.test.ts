import { describe, expect, it } from 'vitest'
import { anonymousCaller } from './caller-token.ts'
import { readJoin } from './join.ts'
import type { Socket } from './socket.ts'

const join = (payload: unknown, topic = 'realtime:board') =>
  readJoin({} as Socket, { joinRef: '7', ref: '8', topic, event: 'phx_join', payload }, anonymousCaller)

/** Returns the parsed join. Fails if the join was refused. */
function readAccepted(payload: unknown) {
  const answer = join(payload)
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}

describe('a join', () => {
  it('a join without a valid config subscribes to nothing', () => {
    for (const payload of [{}, null, 'x', [], { config: null }, { config: { broadcast: 1, presence: 'x' } }]) {
      const { channel, bindings, token } = readAccepted(payload)
      expect(channel).toMatchObject({
        topic: 'realtime:board',
        name: 'board',
        joinRef: '7',
        isPrivate: false,
        broadcast: { ack: false, self: false },
        presence: { enabled: false, key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        presenceRef: null,
        subscriptions: [],
        isOpen: true,
      })
      expect([bindings, token]).toEqual([[], undefined])
    }
  })

  it('a join enables only the options that its config sets to true', () => {
    const { channel, token } = readAccepted({
      access_token: 'abc',
      config: { private: true, broadcast: { ack: true, self: true }, presence: { key: 'ana', enabled: true } },
    })
    expect(channel).toMatchObject({
      isPrivate: true,
      broadcast: { ack: true, self: true },
      presence: { key: 'ana', enabled: true },
    })
    expect(token).toBe('abc')
    const withOtherValues = readAccepted({
      config: { private: 1, broadcast: { ack: 'true', self: 1 }, presence: { key: '', enabled: 1 } },
    })
    expect(withOtherValues.channel).toMatchObject({ isPrivate: false, broadcast: { ack: false, self: false } })
    expect(withOtherValues.channel.presence).toMatchObject({ enabled: false, key: expect.stringMatching(/./) })
  })

  it('a join is refused unless its topic has the prefix realtime: and a name after it', () => {
    for (const topic of ['', 'board', 'realtime:', 'xrealtime:a', 'board:realtime:'])
      expect(join({}, topic)).toBe('Topics start with realtime:')
    expect(join({}, 'realtime:a')).toMatchObject({ channel: { name: 'a' } })
  })

  it('a join is refused if its topic has more than 255 characters', () => {
    const topicOf = (length: number) => `realtime:${'x'.repeat(length - 'realtime:'.length)}`
    expect(join({}, topicOf(256))).toBe('The topic is too long: at most 255 characters')
    expect(join({}, topicOf(255))).toMatchObject({ channel: { topic: topicOf(255) } })
  })

  it('a join is refused if its presence key has more than 200 characters', () => {
    expect(join({ config: { presence: { key: 'x'.repeat(201) } } })).toBe('The presence key is too long')
    expect(readAccepted({ config: { presence: { key: 'x'.repeat(200) } } }).channel.presence.key).toHaveLength(200)
  })

  it('a join returns the bindings of its config, and is refused if one of them is not valid', () => {
    const bindings = [
      { event: 'INSERT', schema: 'public' },
      { event: '*', schema: 'public', table: 'rows', filter: 'id=eq.1' },
      { event: '*', schema: 'public', table: null, filter: null },
    ]
    expect(readAccepted({ config: { postgres_changes: bindings } }).bindings).toEqual([
      { event: 'INSERT', schema: 'public', table: undefined, filter: undefined },
      { event: '*', schema: 'public', table: 'rows', filter: 'id=eq.1' },
      { event: '*', schema: 'public', table: undefined, filter: undefined },
    ])
    const invalidBindings = [1, {}, [null], [{ schema: 'public' }], [{ event: '*' }]].concat([
      [{ event: '*', schema: 'a', table: 1 }],
      [{ event: '*', schema: 'a', filter: {} }],
      [...bindings, 1],
    ] as never[])
    for (const postgres_changes of invalidBindings)
      expect(join({ config: { postgres_changes } })).toBe('The config of postgres_changes cannot be read')
  })
})
