import { expect, onTestFinished, test, vi } from 'vitest'
import { bo, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { requestFormerName } from './former-names.ts'
import { namesOfFormerMembers } from './names-of-former-members.ts'

const line = 'POST /rest/v1/rpc/former_members'

/** Requests the name of a person who has left. Returns the known names, the number of requests, and the errors in the console. */
async function requestName(...answers: PreparedResponse[]) {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => errors.mockRestore())
  const { data, clock, network } = await openLoneTab()
  network.onEach(line, ...answers)
  for (let times = 0; times < answers.length; times += 1) {
    requestFormerName(data, bo)
    clock.advance(20)
    await untilIdle()
  }
  return {
    names: [...namesOfFormerMembers(data).get()],
    requestCount: network.of(line).length,
    errors: errors.mock.calls.map(([message]) => message),
  }
}

test('the name of a person who has left is requested again after a refused request', async () => {
  const answers = [refusalResponse(400, 'P0001', 'NOT_AUTHORIZED'), { body: [{ id: bo, name: 'Bo' }] }]
  expect(await requestName(...answers)).toEqual({ names: [[bo, 'Bo']], requestCount: 2, errors: [] })
})

test('a refused request for names of former members is an error in the console, unless this user was removed from the brand', async () => {
  expect((await requestName(refusalResponse(400, 'P0001', 'NOT_AUTHORIZED'))).errors).toEqual([])
  expect((await requestName(refusalResponse(400, '22P02'))).errors).toEqual([
    'The names of people who have left could not be fetched.',
  ])
})
