import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, vi } from 'vitest'
import { goOnline, dataOf, goOffline, makeDeal, stageOf, untilPulled, untilSent, waitOptions } from './acme.ts'
import type { FakeBrowser, Tab } from './fake-browser.ts'

export const journeyPassword = 'correct horse'

/** Ana's tab, with her brand open. */
export interface Journey {
  tab: Tab
  email: string
  brandId: string
}

/** Signs Ana up and creates her brand. */
export async function beginJourney(browser: FakeBrowser, email: string): Promise<Journey> {
  const tab = await browser.openTab()
  expect(await tab.signUp(tab.device, email, journeyPassword)).toEqual({ ok: true, signedIn: true })
  const brandId = savedId(await tab.createBrand(tab.device, 'Acme'))
  await tab.chooseBrand(tab.device, brandId)
  await untilPulled(tab)
  return { tab, email, brandId }
}

/** Edits records while the server is reachable: inserts, updates, deletes and restores. */
export async function workOnline({ tab }: Journey, browser: FakeBrowser): Promise<void> {
  const [roofId, wallsId] = [await makeDeal(tab, { name: 'Roof' }), await makeDeal(tab, { name: 'Walls' })]
  savedId(await tab.moveDeal(tab.device, roofId, stageOf(tab, 'Won').id))
  savedId(await tab.updateRecord(tab.device, 'deals', wallsId, { name: 'Walls and floor', amount: 250 }))
  savedId(await tab.updateRecords(tab.device, 'deals', [roofId, wallsId], { owner_id: null }))
  savedId(await tab.quickCreateDeal(tab.device, stageOf(tab, 'Proposal')))
  const zoe = { email: 'zoe@zoo.test', first_name: 'Zoe', last_name: 'Ng', company: 'Zoo' }
  const contactId = savedId(await tab.addContact(tab.device, zoe))
  expect(savedId(await tab.addContact(tab.device, { ...zoe, last_name: 'Nguyen' }))).toBe(contactId)
  const company = { name: 'Acorn', domain: 'acorn.test', phone: null, website: null, notes: 'Oak' }
  savedId(await tab.addCompany(tab.device, company))
  const due_at = '2026-12-01T09:00:00.000Z'
  const callDraft = {
    title: 'Call',
    due_at,
    priority: 'high',
    contact_id: contactId,
    deal_id: roofId,
  } as const
  const taskId = savedId(await tab.createTask(tab.device, callDraft))
  savedId(await tab.setTaskStatus(tab.device, taskId, 'done'))
  savedId(await tab.updateRecord(tab.device, 'deals', wallsId, { contact_id: contactId }))
  savedId(await tab.deleteRecords(tab.device, 'contacts', [contactId]))
  savedId(await tab.restoreRecords(tab.device, 'contacts', [contactId]))
  // The links of the restored contact come with the next pull.
  const linkedDeal = { contact_id: contactId, amount: 250, owner_id: null }
  await vi.waitFor(() => expect(dataOf(tab).tables.deals.get(wallsId)).toMatchObject(linkedDeal), waitOptions)
  // A response is lost: the operation is sent again with its idempotency key.
  let patchCount = 0
  browser.network.judge = (_, { method }) => (method === 'PATCH' && patchCount++ === 0 ? 'drop-answer' : 'pass')
  await tab.updateRecord(tab.device, 'tasks', taskId, { title: 'Call again' })
  await tab.sendWaiting(tab.device)
  await untilSent(tab)
  expect(patchCount).toBeGreaterThan(1)
  browser.network.judge = () => 'pass'
}

/** Edits records offline while a colleague changes some of them. Then goes online and resolves the conflicts. */
export async function workOffline(
  { tab, brandId }: Journey,
  browser: FakeBrowser,
  colleague: SupabaseClient,
): Promise<void> {
  const [mineId, goneId, keptId] = [
    await makeDeal(tab, { name: 'Ours' }),
    await makeDeal(tab, { name: 'Gone' }),
    await makeDeal(tab, { name: 'Kept' }),
  ]
  goOffline({ browser, tab })
  const owen = await tab.addContact(tab.device, {
    email: 'owen@zoo.test',
    first_name: 'Owen',
    last_name: null,
    company: null,
  })
  if (owen.status !== 'queued') throw new Error('The edit was not queued.')
  await tab.createDeal(tab.device, {
    name: 'Fence',
    amount: 5,
    stage_id: stageOf(tab, 'Incoming').id,
    contact_id: owen.id,
  })
  await tab.updateRecord(tab.device, 'deals', mineId, { name: 'Mine' })
  await tab.updateRecord(tab.device, 'deals', goneId, { amount: 9 })
  await tab.moveDeal(tab.device, keptId, stageOf(tab, 'Lost').id)
  await tab.deleteRecords(
    tab.device,
    'tasks',
    Array.from(dataOf(tab).tables.tasks.values(), ({ id }) => id),
  )
  expect(await tab.countUnsent(tab.device)).toBe(6)
  await expectOneRow(
    colleague.from('deals').update({ name: 'Theirs' }).eq('brand_id', brandId).eq('id', mineId).select(),
  )
  await expectOneRow(colleague.from('deals').delete().eq('brand_id', brandId).eq('id', goneId).select())
  await goOnline({ browser, tab })
  await untilSent(tab)
  const states = () =>
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ state }) => state)
  await vi.waitFor(() => expect(states()).toEqual(['conflict', 'deleted']), waitOptions)
  const [conflict, deleted] = tab.queue(tab.device).get().operations
  await tab.resolveConflict(tab.device, conflict?.id ?? '', 'mine')
  await tab.restoreDeleted(tab.device, deleted?.id ?? '')
  await vi.waitFor(() => expect(states()).toEqual([]), waitOptions)
}

/** Changes a deal as the colleague, and expects the change to arrive live. */
export async function receiveChange({ tab, brandId }: Journey, colleague: SupabaseClient): Promise<void> {
  const keptDeal = [...dataOf(tab).tables.deals.values()].find(({ name }) => name === 'Kept')
  const change = colleague.from('deals').update({ name: 'Kept well' }).eq('brand_id', brandId)
  await expectOneRow(change.eq('id', keptDeal?.id ?? '').select())
  await vi.waitFor(() => expect(namesOf(tab)).toContain('Kept well'), waitOptions)
}

/** Signs out and in again on a device without local data. Expects the same records. */
export async function signInOnNewDevice(journey: Journey, browser: FakeBrowser): Promise<Journey> {
  const before = allRecords(journey.tab)
  await journey.tab.signOut(journey.tab.device)
  const tab = await browser.openTab()
  expect(await tab.signIn(tab.device, journey.email, journeyPassword)).toMatchObject({ ok: true, signedIn: true })
  await tab.chooseBrand(tab.device, journey.brandId)
  await untilPulled(tab)
  expect(namesOf(tab)).toEqual(['Fence', 'Gone', 'Kept well', 'Mine', 'New Deal - Proposal', 'Roof', 'Walls and floor'])
  await vi.waitFor(() => expect(allRecords(tab)).toEqual(before), waitOptions)
  return { ...journey, tab }
}

/** Returns the names of all deals of the open brand. */
export function namesOf(tab: Tab): string[] {
  return [...dataOf(tab).tables.deals.values()].map(({ name }) => name).toSorted()
}

/** Returns the deals, contacts, companies and tasks on this device, by id. `email_norm` is removed, because a pull leaves it out. */
function allRecords(tab: Tab): Record<string, object> {
  const { deals, contacts, companies, tasks } = dataOf(tab).tables
  const rows = [deals, contacts, companies, tasks].flatMap((table) => [...table.values()])
  return Object.fromEntries(rows.map((row) => [row.id, { ...row, email_norm: undefined }]))
}

function savedId(outcome: Awaited<ReturnType<Tab['createDeal']>>): string {
  if (outcome.status !== 'saved') throw new Error(`The edit was not saved: ${JSON.stringify(outcome)}`)
  return outcome.id
}

async function expectOneRow(request: PromiseLike<{ data: unknown; error: unknown }>): Promise<void> {
  const { data, error } = await request
  expect(error).toBeNull()
  expect(data).toHaveLength(1)
}
