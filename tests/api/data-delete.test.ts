import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, makeDeal, stageOf, untilPulled, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme, server } from '../harness/acme-scene.ts'
import { playUndoRound, undoRound } from '../harness/undo-round.ts'

setUpAcme()

const deals = () => dataOf(acme.tab).tables.deals

const dealOnServer = (id: string) =>
  inDatabase('select id, name, stage_id, contact_id from public.deals where id = $1', id)

function goOffline(): void {
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
}

async function makeContact(email: string): Promise<string> {
  const outcome = await acme.tab.addContact(acme.tab.device, {
    email,
    first_name: 'Zoe',
    last_name: null,
    company: null,
  })
  return outcome.status === 'refused' ? expect.fail(outcome.message) : outcome.id
}

test('a deleted deal disappears from the screen at once and from the server; undo restores the same row', async () => {
  const id = await makeDeal(acme.tab)
  const before = deals().get(id)
  const outcome = acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
  expect(deals().get(id)).toBeUndefined()
  expect(await outcome).toEqual({ status: 'saved', id })
  expect(await dealOnServer(id)).toEqual([])
  const undone = acme.tab.restoreRecords(acme.tab.device, 'deals', [id])
  expect(deals().get(id)).toMatchObject({ name: 'Data migration' })
  expect(await undone).toEqual({ status: 'saved', id })
  const { rev: _, version: versionBefore, updated_at: __, ...content } = before ?? expect.fail('no deal')
  expect(deals().get(id)).toMatchObject(content)
  expect(deals().get(id)?.version).toBeGreaterThan(versionBefore)
  // The restored deal can be edited at once.
  expect((await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)).status).toBe('saved')
})

test('several records are deleted in one request, and restored in one', async () => {
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab), await makeDeal(acme.tab)]
  acme.browser.network.log.length = 0
  expect((await acme.tab.deleteRecords(acme.tab.device, 'deals', ids)).status).toBe('saved')
  expect(deals().size).toBe(0)
  expect((await acme.tab.restoreRecords(acme.tab.device, 'deals', ids)).status).toBe('saved')
  expect(deals().size).toBe(3)
  const writes = acme.browser.network.log.filter(({ key }) => key !== null)
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /rest/v1/deals',
    'POST /rest/v1/rpc/restore_records',
  ])
})

test('more records than fit into one request are deleted in several requests', async () => {
  await inDatabase(
    `insert into public.tasks (brand_id, title) select $1, 'Task ' || n from generate_series(1, 230) n`,
    acme.brandId,
  )
  await acme.tab.requestPull(acme.tab.device)
  const { tasks } = dataOf(acme.tab).tables
  const ids = [...tasks.serverIds()]
  expect(ids.length).toBe(230)
  expect((await acme.tab.deleteRecords(acme.tab.device, 'tasks', ids)).status).toBe('saved')
  expect(tasks.size).toBe(0)
  expect(await inDatabase('select from public.tasks where brand_id = $1', acme.brandId)).toEqual([])
  expect((await acme.tab.restoreRecords(acme.tab.device, 'tasks', ids)).status).toBe('saved')
  expect(tasks.size).toBe(230)
})

test('after an offline delete and its undo the row is shown as before, and both are sent in order', async () => {
  const id = await makeDeal(acme.tab)
  const before = deals().serverRow(id)
  goOffline()
  expect(await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])).toEqual({
    status: 'queued',
    id,
  })
  expect(deals().get(id)).toBeUndefined()
  expect(await acme.tab.restoreRecords(acme.tab.device, 'deals', [id])).toEqual({
    status: 'queued',
    id,
  })
  expect(deals().get(id)).toEqual(before)
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(await dealOnServer(id)).toMatchObject([{ name: 'Data migration' }])
  expect(deals().get(id)).toMatchObject({ name: 'Data migration', version: 2 })
})

test('an offline delete is sent when the network is back, and clears the links to the deleted record', async () => {
  const contact = await makeContact('zoe@acme.test')
  const id = await makeDeal(acme.tab, { contact_id: contact })
  goOffline()
  await acme.tab.deleteRecords(acme.tab.device, 'contacts', [contact])
  expect(dataOf(acme.tab).tables.contacts.get(contact)).toBeUndefined()
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(await dealOnServer(id)).toMatchObject([{ contact_id: null }])
  await acme.tab.requestPull(acme.tab.device)
  expect(deals().get(id)?.contact_id).toBeNull()
  expect((await acme.tab.restoreRecords(acme.tab.device, 'contacts', [contact])).status).toBe('saved')
  await acme.tab.requestPull(acme.tab.device)
  expect(deals().get(id)?.contact_id).toBe(contact)
})

test('the creation, the edit and the delete of a record that happen offline are sent in order; the undo restores the record', async () => {
  goOffline()
  const stage_id = stageOf(acme.tab, 'Incoming').id
  const emptyFields = { amount: 7, expected_close_date: null, contact_id: null, company_id: null }
  const creation = await acme.tab.createDeal(acme.tab.device, { name: 'Short life', stage_id, ...emptyFields })
  if (creation.status !== 'queued') return expect.fail(creation.status)
  await acme.tab.moveDeal(acme.tab.device, creation.id, stageOf(acme.tab, 'Won').id)
  await acme.tab.deleteRecords(acme.tab.device, 'deals', [creation.id])
  expect(deals().get(creation.id)).toBeUndefined()
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
  expect(await dealOnServer(creation.id)).toEqual([])
  expect((await acme.tab.restoreRecords(acme.tab.device, 'deals', [creation.id])).status).toBe('saved')
  expect(deals().get(creation.id)).toMatchObject({ name: 'Short life', stage_id: stageOf(acme.tab, 'Won').id })
})

test('if the response to a delete is lost and the delete is undone, the row exists, and was deleted and restored once', async () => {
  const id = await makeDeal(acme.tab)
  acme.browser.network.judge = (_, { method }) => (method === 'DELETE' ? 'drop-answer' : 'pass')
  await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
  await acme.tab.restoreRecords(acme.tab.device, 'deals', [id])
  expect(deals().get(id)).toMatchObject({ name: 'Data migration' })
  acme.browser.network.log.length = 0
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(acme.browser.network.log.filter(({ key }) => key !== null).map(({ method }) => method)).toEqual([
    'DELETE',
    'POST',
  ])
  expect((await dealOnServer(id)).length).toBe(1)
  expect(deals().get(id)).toMatchObject({ name: 'Data migration' })
})

test('an edit that waits behind an undo applies to the restored row', async () => {
  const id = await makeDeal(acme.tab)
  await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
  goOffline()
  await acme.tab.restoreRecords(acme.tab.device, 'deals', [id])
  await acme.tab.updateRecord(acme.tab.device, 'deals', id, { name: 'Data move' })
  expect(deals().get(id)).toMatchObject({ name: 'Data move' })
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
  expect(await dealOnServer(id)).toMatchObject([{ name: 'Data move' }])
})

test('a record whose delete is refused is shown again, with the server’s message', async () => {
  const id = await makeDeal(acme.tab)
  await inDatabase(`create function no_delete() returns trigger language plpgsql as
    $$ begin raise exception 'Closed for the audit.' using errcode = '42501'; end $$`)
  await inDatabase('create trigger audit before delete on public.deals for each row execute function no_delete()')
  try {
    const outcome = await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
    expect(outcome).toEqual({ status: 'refused', message: 'Closed for the audit.', code: '42501' })
    expect(deals().get(id)).toMatchObject({ name: 'Data migration' })
    expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
  } finally {
    await inDatabase('drop function no_delete cascade')
  }
})

test('an undo reports a contact whose e-mail address another contact has got meanwhile, and restores the other records', async () => {
  const [zoe, yan] = [await makeContact('zoe@acme.test'), await makeContact('yan@acme.test')]
  await acme.tab.deleteRecords(acme.tab.device, 'contacts', [zoe, yan])
  await inDatabase(`insert into public.contacts (brand_id, email) values ($1, 'ZOE@acme.test')`, acme.brandId)
  const outcome = await acme.tab.restoreRecords(acme.tab.device, 'contacts', [zoe, yan])
  expect(outcome).toMatchObject({
    status: 'refused',
    message: '1 of 2 contacts could not be brought back: another contact now has zoe@acme.test.',
  })
  const { contacts } = dataOf(acme.tab).tables
  expect(contacts.get(zoe)).toBeUndefined()
  expect(contacts.get(yan)).toMatchObject({ email: 'yan@acme.test' })
})

test('a pull after a delete does not show the deleted row again', async () => {
  const id = await makeDeal(acme.tab)
  const row = deals().serverRow(id) ?? expect.fail('no deal')
  await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
  expect(dataOf(acme.tab).recentlyDeleted.get(id)).toBe(row.version)
  const shownDeals: unknown[] = []
  deals().subscribe(() => shownDeals.push(deals().get(id)))
  await acme.tab.requestPull(acme.tab.device)
  expect(shownDeals.filter(Boolean)).toEqual([])
})

test('the response of an earlier pull does not show a deleted row again, even in a version that this device never had', async () => {
  const id = await makeDeal(acme.tab)
  await acme.tab.requestPull(acme.tab.device)
  const shownDeals: unknown[] = []
  let isDeleted = false
  acme.browser.network.judge = async (url, init) => {
    if (!url.endsWith('/rpc/pull') || isDeleted) return 'pass'
    const response = await fetch(url, init)
    if (!(await response.clone().text()).includes(id)) return response
    // The response contains a version of the deal that is new to this device. It arrives only after the deal was deleted.
    isDeleted = true
    await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
    deals().subscribe(() => shownDeals.push(deals().get(id)))
    return response
  }
  await server.database?.owner.query('update public.deals set amount = amount + 1 where id = $1', [id])
  await acme.tab.requestPull(acme.tab.device)
  await vi.waitFor(() => expect(isDeleted).toBe(true), waitOptions)
  await acme.tab.requestPull(acme.tab.device)
  expect(shownDeals.filter(Boolean)).toEqual([])
  expect(dataOf(acme.tab).recentlyDeleted.has(id)).toBe(true)
})

test('an undo after a switch to another brand restores the record in its own brand', async () => {
  const id = await makeDeal(acme.tab)
  await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
  const otherBrand = await acme.tab.createBrand(acme.tab.device, `Umbra ${Date.now()}`)
  if (otherBrand.status !== 'saved') return expect.fail(otherBrand.status)
  await acme.tab.chooseBrand(acme.tab.device, otherBrand.id)
  await untilPulled(acme.tab)
  expect((await acme.tab.restoreRecords(acme.tab.device, 'deals', [id])).status).toBe('saved')
  expect(await dealOnServer(id)).toMatchObject([{ name: 'Data migration' }])
  expect(deals().get(id)).toBeUndefined()
})

test('the records that a delete will unlink are counted before it', async () => {
  const contact = await makeContact('zoe@acme.test')
  await makeDeal(acme.tab, { contact_id: contact })
  const deal = await makeDeal(acme.tab, { contact_id: contact })
  const task = { title: 'Call', due_at: null, priority: 'normal', contact_id: contact, deal_id: deal } as const
  await acme.tab.createTask(acme.tab.device, task)
  const linkCounts = (table: 'contacts' | 'deals' | 'tasks', id: string) =>
    acme.tab.linkCountsView(dataOf(acme.tab), table, id).read()
  const tasks = { table: 'tasks', count: 1 }
  expect(linkCounts('contacts', contact)).toEqual({ ready: true, links: [{ table: 'deals', count: 2 }, tasks] })
  expect(linkCounts('deals', deal)).toEqual({ ready: true, links: [tasks] })
  expect(linkCounts('tasks', deal)).toEqual({ ready: true, links: [] })
})

test('a delete and its undo leave everything as it was, whatever the links, the edits and their order (200 rounds: tests/long)', async () => {
  await fc.assert(
    fc.asyncProperty(undoRound, (round) => playUndoRound(server, acme, round)),
    { numRuns: 12, endOnFailure: true },
  )
})
