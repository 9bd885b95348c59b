import { expect, test, vi } from 'vitest'
import { ana, openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { knownMembers } from './people.ts'

const member = { id: ana, user_id: ana, display_name: 'Ana' }

async function requestMembers(isKnown: boolean) {
  const tab = await openLoneTab()
  tab.data.firstPullEnded.set(false)
  if (isKnown) putRows(tab.data, 'memberships', member)
  let names: string[] | null = null
  void knownMembers(tab.device).then((members) => (names = members.map(({ name }) => name)))
  await untilIdle()
  return { ...tab, names: () => names }
}

test('the members are known at once if this device has them, and otherwise when they arrive', async () => {
  expect((await requestMembers(true)).names()).toEqual(['Ana'])
  const { data, names } = await requestMembers(false)
  expect(names()).toBeNull()
  putRows(data, 'memberships', member)
  await vi.waitFor(() => expect(names()).toEqual(['Ana']))
})

test('`knownMembers` waits for the members for at most three seconds', async () => {
  const { clock, names } = await requestMembers(false)
  clock.advance(2999)
  await untilIdle()
  expect(names()).toBeNull()
  clock.advance(1)
  await untilIdle()
  expect(names()).toEqual([])
})
