import { expect, test } from 'vitest'
import type { Channel } from './channel.ts'
import { limits } from './limits.ts'
import { MessageLimits } from './message-limits.ts'

const channelOf = (sub: string, name: string) => ({ caller: { sub }, name }) as Channel
const countAllowed = (answers: (string | null)[]) => answers.filter((answer) => answer === null).length
const longText = 'x'.repeat(60_000)

test('the number of bytes that one account can store in two minutes is limited', () => {
  const messageLimits = new MessageLimits()
  const answers = Array.from({ length: 40 }, () => messageLimits.countBroadcast(channelOf('ana', 'room:a'), longText))
  expect(countAllowed(answers)).toBeCloseTo(limits.storedBytesOfUser.burst / 60_072, -1)
  expect(answers.at(-1)).toContain('at most 2097152 bytes of one account in two minutes')
  expect(messageLimits.countBroadcast(channelOf('bo', 'room:a'), longText)).toBeNull()
  expect(messageLimits.countPresence(channelOf('ana', 'room:b'), 'x'.repeat(4_000))).toBeNull()
})

test('the number of bytes that all accounts together can store in one topic is limited', () => {
  const messageLimits = new MessageLimits()
  const answersOfAll = Array.from({ length: 8 }, (_, user) =>
    Array.from({ length: 30 }, () => messageLimits.countBroadcast(channelOf(`user ${user}`, 'room:a'), longText)),
  ).flat()
  expect(countAllowed(answersOfAll)).toBeCloseTo(limits.storedBytesOfTopic.burst / 60_072, -1)
  expect(answersOfAll.at(-1)).toContain('in one topic in two minutes')
})

test('presences count toward the limit of stored bytes too', () => {
  const messageLimits = new MessageLimits()
  for (let i = 0; i < 40; i++) messageLimits.countBroadcast(channelOf('ana', 'room:a'), longText)
  const answers = Array.from({ length: 30 }, () =>
    messageLimits.countPresence(channelOf('ana', 'room:b'), 'x'.repeat(4_000)),
  )
  expect(answers.at(-1)).toContain('at most 2097152 bytes of one account in two minutes')
})
