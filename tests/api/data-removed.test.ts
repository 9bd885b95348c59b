import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { comeOnline, dataOf, makeDeal, waitOptions, stageOf, untilPulled } from '../harness/acme.ts'
import { acme, playInAcme, server } from '../harness/acme-scene.ts'
import { readStored } from '../harness/stored.ts'

playInAcme()

/** Makes somebody else the owner, because the last owner cannot leave. */
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

test('removed while offline: rows and unsent changes of that brand go, those of another one are sent', async () => {
  const { tab, browser } = acme
  const other = await tab.createBrand(`Umbra ${Date.now()}`)
  if (other.status !== 'saved') throw new Error('the brand was not created')
  const id = await makeDeal(tab, { name: 'MARKER-deal' })
  browser.network.offline = true
  tab.reachable.set(false)
  expect(await tab.moveDeal(id, stageOf(tab, 'Won').id)).toEqual({ status: 'queued', id })
  await tab.chooseBrand(other.id)
  await vi.waitFor(() => expect(tab.openBrand.get()?.loaded.get()).toBe(true), waitOptions)
  const task = await tab.createTask({
    title: 'Kept',
    due_at: null,
    priority: 'normal',
    contact_id: null,
    deal_id: null,
  })
  expect(task.status).toBe('queued')
  await tab.chooseBrand(acme.brandId)
  await vi.waitFor(() => expect(tab.openBrand.get()?.loaded.get()).toBe(true), waitOptions)
  expect(dataOf(tab).tables.deals.get(id)).toBeDefined()
  expect(await readStored()).toContain('MARKER-deal')

  await removeAna()
  await comeOnline(acme)
  await tab.requestPull()
  await vi.waitFor(() => expect(tab.activeBrandState.get().lost).toBe('removed'), waitOptions)
  await vi.waitFor(() => expect(tab.queue.get().operations).toEqual([]), waitOptions)
  expect(await readStored()).not.toContain('MARKER-deal')
  const { rows } =
    (await server.database?.owner.query('select title from public.tasks where brand_id = $1', [other.id])) ?? {}
  expect(rows).toEqual([{ title: 'Kept' }])
})

test('a brand that is no longer among mine is asked for before its rows go: a session that ended loses nothing', async () => {
  const { tab } = acme
  await makeDeal(tab, { name: 'MARKER-deal' })
  await tab.clearActiveBrand()
  await server.database?.owner.query('delete from auth.sessions where user_id = $1', [acme.userId])
  await tab.loadMemberships()
  expect(tab.membershipsOf.get()).toMatchObject({ fresh: true, memberships: [] })
  await vi.waitFor(() => expect(tab.sessionState.get().session?.expired).toBe(true), waitOptions)
  expect(await readStored()).toContain('MARKER-deal')
})

test('removed while the brand was closed: its rows go with the next list of my brands', async () => {
  const { tab } = acme
  await makeDeal(tab, { name: 'MARKER-deal' })
  await untilPulled(tab)
  await tab.clearActiveBrand()
  await removeAna()
  expect(await readStored()).toContain('MARKER-deal')
  await tab.loadMemberships()
  await vi.waitFor(async () => expect(await readStored()).not.toContain('MARKER-deal'), waitOptions)
})
