import { expect, test } from 'vitest'
import type { Channel } from './channel.ts'
import { limits } from './limits.ts'
import { MessageLimits } from './message-limits.ts'

const channel = (sub: string, name: string) => ({ caller: { sub }, name }) as Channel
const taken = (answers: (string | null)[]) => answers.filter((answer) => answer === null).length
const long = 'x'.repeat(60_000)

test('the number of bytes that one account can store in two minutes is limited', () => {
  const talk = new MessageLimits()
  const answers = Array.from({ length: 40 }, () => talk.countBroadcast(channel('ana', 'room:a'), long))
  expect(taken(answers)).toBeCloseTo(limits.storedBytesOfUser.burst / 60_072, -1)
  expect(answers.at(-1)).toContain('at most 2097152 bytes of one account in two minutes')
  expect(talk.countBroadcast(channel('bo', 'room:a'), long)).toBeNull()
  expect(talk.countPresence(channel('ana', 'room:b'), 'x'.repeat(4_000))).toBeNull()
})

test('the number of bytes that all accounts together can store in one topic is limited', () => {
  const talk = new MessageLimits()
  const stored = Array.from({ length: 8 }, (_, user) =>
    Array.from({ length: 30 }, () => talk.countBroadcast(channel(`user ${user}`, 'room:a'), long)),
  ).flat()
  expect(taken(stored)).toBeCloseTo(limits.storedBytesOfTopic.burst / 60_072, -1)
  expect(stored.at(-1)).toContain('in one topic in two minutes')
})

test('presences count toward the limit of stored bytes too', () => {
  const talk = new MessageLimits()
  for (let i = 0; i < 40; i++) talk.countBroadcast(channel('ana', 'room:a'), long)
  const answers = Array.from({ length: 30 }, () => talk.countPresence(channel('ana', 'room:b'), 'x'.repeat(4_000)))
  expect(answers.at(-1)).toContain('at most 2097152 bytes of one account in two minutes')
})
