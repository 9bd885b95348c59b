import { expect, test } from 'vitest'
import { acme, ana, openLoneTab } from '#tests/harness/lone-tab.ts'
import { recordNoAnswer } from '#web/data/server/network.ts'
import { loadMemberships, membershipsOf } from './brands.ts'

const request = 'GET /rest/v1/memberships'
const row = { brand_id: acme, user_id: ana, role: 'owner', opened_at: '2026-11-01', brand: { id: acme, name: 'Acme' } }

test('after a request without an answer, the memberships are requested once, so that the stored ones are used at once', async () => {
  const { device, network } = await openLoneTab()
  recordNoAnswer(device)
  await loadMemberships(device)
  expect(network.of(request)).toHaveLength(1)
  expect(membershipsOf(device).get()).toMatchObject({ ready: true, fresh: false, error: expect.any(String) })
})

test('while the server answers, a request of the memberships that gets no answer is repeated', async () => {
  const { device, network } = await openLoneTab()
  network.onEach(request, null, { body: [row] })
  await loadMemberships(device)
  expect(network.of(request)).toHaveLength(2)
  expect(membershipsOf(device).get()).toMatchObject({ fresh: true, error: null, memberships: [{ name: 'Acme' }] })
})
