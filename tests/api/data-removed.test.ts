import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, makeDeal, waitOptions, stageOf, untilPulled } from '../harness/acme.ts'
import { acme, setUpAcme, server } from '../harness/acme-scene.ts'
import { readStored } from '../harness/stored.ts'

setUpAcme()

/** Removes Ana from her brand. Makes another person owner first, because the last owner cannot leave. */
async function removeAna(): Promise<void> {
  const owner = server.database?.owner ?? expect.fail('no database')
  const bo = randomUUID()
  await owner.query('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())', [
    bo,
    `bo-${bo}@acme.test`,
  ])
  await owner.query("insert into public.memberships (brand_id, user_id, role) values ($1, $2, 'owner')", [
    acme.brandId,
    bo,
  ])
  await owner.query('delete from public.memberships where brand_id = $1 and user_id = $2', [acme.brandId, acme.userId])
}

test('after a member was removed while offline, rows and unsent changes of that brand are wiped, and those of another brand are sent', async () => {
  const { tab, browser } = acme
  const otherBrand = await tab.createBrand(tab.device, `Umbra ${Date.now()}`)
  if (otherBrand.status !== 'saved') throw new Error('the brand was not created')
  const id = await makeDeal(tab, { name: 'MARKER-deal' })
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
  expect(await tab.moveDeal(tab.device, id, stageOf(tab, 'Won').id)).toEqual({ status: 'queued', id })
  await tab.chooseBrand(tab.device, otherBrand.id)
  await vi.waitFor(() => expect(tab.openBrand(tab.device).get()?.loaded.get()).toBe(true), waitOptions)
  const task = await tab.createTask(tab.device, {
    title: 'Kept',
    due_at: null,
    priority: 'normal',
    contact_id: null,
    deal_id: null,
  })
  expect(task.status).toBe('queued')
  await tab.chooseBrand(tab.device, acme.brandId)
  await vi.waitFor(() => expect(tab.openBrand(tab.device).get()?.loaded.get()).toBe(true), waitOptions)
  expect(dataOf(tab).tables.deals.get(id)).toBeDefined()
  expect(await readStored(acme.browser.indexedDB)).toContain('MARKER-deal')

  await removeAna()
  await goOnline(acme)
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect(tab.activeBrandState(tab.device).get().lost).toBe('removed'), waitOptions)
  await vi.waitFor(() => expect(tab.queue(tab.device).get().operations).toEqual([]), waitOptions)
  expect(await readStored(acme.browser.indexedDB)).not.toContain('MARKER-deal')
  const { rows } =
    (await server.database?.owner.query('select title from public.tasks where brand_id = $1', [otherBrand.id])) ?? {}
  expect(rows).toEqual([{ title: 'Kept' }])
})

test('a brand missing from the user’s list is pulled before its rows are wiped, so that an ended session loses nothing', async () => {
  const { tab } = acme
  await makeDeal(tab, { name: 'MARKER-deal' })
  await tab.clearActiveBrand(tab.device)
  await server.database?.owner.query('delete from auth.sessions where user_id = $1', [acme.userId])
  // The session may end just after the list was read, so a new list without the brand does not prove the removal.
  tab.membershipsOf(tab.device).set({ userId: acme.userId, ready: true, fresh: true, memberships: [], error: null })
  await vi.waitFor(() => expect(tab.sessionState(tab.device).get().session?.expired).toBe(true), waitOptions)
  expect(await readStored(acme.browser.indexedDB)).toContain('MARKER-deal')
})

test('if a member was removed while the brand was closed, the next list of brands wipes its rows', async () => {
  const { tab } = acme
  await makeDeal(tab, { name: 'MARKER-deal' })
  await untilPulled(tab)
  await tab.clearActiveBrand(tab.device)
  await removeAna()
  expect(await readStored(acme.browser.indexedDB)).toContain('MARKER-deal')
  await tab.loadMemberships(tab.device)
  await vi.waitFor(
    async () => expect(await readStored(acme.browser.indexedDB)).not.toContain('MARKER-deal'),
    waitOptions,
  )
})
