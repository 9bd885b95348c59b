import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, makeDeal, waitOptions, stageOf, untilSent } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

async function makeContact(email: string, company: string | null = null): Promise<string> {
  const outcome = await acme.tab.addContact(acme.tab.device, {
    email,
    first_name: 'Zoe',
    last_name: null,
    company,
  })
  return outcome.status === 'refused' ? expect.fail(outcome.message) : outcome.id
}

async function makeTask(dealId: string, title: string): Promise<string> {
  const task = { title, due_at: null, priority: 'normal', contact_id: null, deal_id: dealId } as const
  const outcome = await acme.tab.createTask(acme.tab.device, task)
  return outcome.status === 'refused' ? expect.fail(outcome.message) : outcome.id
}

test('an edited field is shown at once and saved on the server; texts are trimmed, and an empty text becomes null', async () => {
  const contact = await makeContact('zoe@acme.test')
  const outcome = acme.tab.updateRecord(acme.tab.device, 'contacts', contact, {
    phone: ' 020 7946 0991 ',
    title: '  ',
  })
  const { contacts } = dataOf(acme.tab).tables
  expect(contacts.get(contact)).toMatchObject({ phone: '020 7946 0991', title: null })
  expect(await outcome).toEqual({ status: 'saved', id: contact })
  expect(await inDatabase('select phone, title from contacts where id = $1', contact)).toEqual([
    { phone: '020 7946 0991', title: null },
  ])
})

test('an edit that changes nothing sends nothing', async () => {
  const id = await makeDeal(acme.tab)
  acme.browser.network.log.length = 0
  expect(
    await acme.tab.updateRecord(acme.tab.device, 'deals', id, {
      name: ' Data migration',
      amount: 100,
    }),
  ).toEqual({
    status: 'saved',
    id,
  })
  expect(acme.browser.network.log.filter(({ key }) => key !== null)).toEqual([])
})

test('the e-mail address of another contact is refused with a message, and the field keeps its value', async () => {
  await makeContact('zoe@acme.test')
  const yan = await makeContact('yan@acme.test')
  expect(await acme.tab.updateRecord(acme.tab.device, 'contacts', yan, { email: 'Zoe@acme.test' })).toMatchObject({
    status: 'refused',
    message: 'Another contact has this email address.',
  })
  expect(dataOf(acme.tab).tables.contacts.get(yan)?.email).toBe('yan@acme.test')
})

test('a colleague’s change of the same field needs a decision, a change of another field does not', async () => {
  const id = await makeDeal(acme.tab)
  await inDatabase(`update deals set name = 'Theirs', amount = 7 where id = $1`, id)
  expect(
    (await acme.tab.updateRecord(acme.tab.device, 'deals', id, { expected_close_date: '2026-12-24' })).status,
  ).toBe('saved')
  await inDatabase(`update deals set name = 'Theirs again' where id = $1`, id)
  await acme.tab.updateRecord(acme.tab.device, 'deals', id, { name: 'Mine' })
  expect(acme.tab.queue(acme.tab.device).get().operations).toMatchObject([
    { state: 'conflict', conflicts: [{ field: 'name', mine: 'Mine', theirs: 'Theirs again' }] },
  ])
})

test('a conflict is shown with names instead of ids and with formatted dates', async () => {
  const [zoe, yan] = [await makeContact('zoe@acme.test'), await makeContact('yan@acme.test')]
  const id = await makeTask(await makeDeal(acme.tab), 'Call')
  await inDatabase(`update tasks set contact_id = $2, due_at = '2031-05-07T09:00Z' where id = $1`, id, yan)
  await acme.tab.updateRecord(acme.tab.device, 'tasks', id, {
    contact_id: zoe,
    due_at: '2031-05-06T09:00:00+00:00',
  })
  const [operation] = acme.tab.queue(acme.tab.device).get().operations
  if (!operation) return expect.fail('no operation waits for a decision')
  const readable = operation.conflicts.map((conflict) =>
    acme.tab.readableConflict(acme.tab.device, operation, conflict),
  )
  expect(readable).toMatchObject([
    { field: 'contact_id', mine: 'Zoe', theirs: 'Zoe' },
    { field: 'due_at', mine: expect.stringMatching(/6 May/), theirs: expect.stringMatching(/7 May/) },
  ])
})

test('a link that a delete cleared causes no conflict: the newly linked record stays linked', async () => {
  const [zoe, yan] = [await makeContact('zoe@acme.test'), await makeContact('yan@acme.test')]
  const id = await makeDeal(acme.tab, { contact_id: zoe })
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
  await acme.tab.deleteRecords(acme.tab.device, 'contacts', [zoe])
  await acme.tab.updateRecord(acme.tab.device, 'deals', id, { contact_id: yan })
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
  expect(await inDatabase('select contact_id from deals where id = $1', id)).toEqual([{ contact_id: yan }])
})

test('a deal moved to Won is shown as closed before the response; several can be moved at once', async () => {
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab)]
  const { deals } = dataOf(acme.tab).tables
  const outcome = acme.tab.updateRecords(acme.tab.device, 'deals', ids, {
    stage_id: stageOf(acme.tab, 'Won').id,
  })
  for (const id of ids) expect(deals.get(id)?.closed_at).toEqual(expect.any(String))
  expect((await outcome).status).toBe('saved')
  await acme.tab.updateRecords(acme.tab.device, 'deals', ids, {
    stage_id: stageOf(acme.tab, 'Qualified').id,
  })
  for (const id of ids) expect(deals.get(id)).toMatchObject({ closed_at: null, version: 3 })
})

test('selected records are changed in requests of a hundred rows, offline too; a later edit applies to the changed records', async () => {
  const { tab, brandId, userId } = acme
  await inDatabase(
    `insert into contacts (brand_id, email) select $1, 'p' || n || '@x.y' from generate_series(1, 230) n`,
    brandId,
  )
  await tab.requestPull(tab.device)
  const { contacts } = dataOf(tab).tables
  const ids = [...contacts.serverIds()]
  expect(ids.length).toBe(230)
  acme.browser.network.offline = true
  tab.reachable(tab.device).set(false)
  expect((await tab.updateRecords(tab.device, 'contacts', ids, { owner_id: userId })).status).toBe('queued')
  await tab.updateRecord(tab.device, 'contacts', ids[0] ?? '', { phone: '020' })
  expect([...contacts.values()].every((contact) => contact.owner_id === userId)).toBe(true)
  // A colleague deletes one row and edits another field of a second one.
  await inDatabase('delete from contacts where id = $1', ids[1])
  await inDatabase(`update contacts set title = 'Buyer' where id = $1`, ids[2])
  acme.browser.network.log.length = 0
  await goOnline(acme)
  await untilSent(tab)
  // The delete wins, and the change of that row is reported.
  expect(tab.queue(tab.device).get().operations).toMatchObject([
    { kind: 'update-all', state: 'deleted', rowIds: [ids[1]] },
  ])
  expect(acme.browser.network.log.filter(({ key }) => key !== null).length).toBe(4)
  const rows = await inDatabase('select distinct owner_id from contacts where brand_id = $1', brandId)
  expect(rows).toEqual([{ owner_id: userId }])
  expect(await inDatabase('select phone from contacts where id = $1', ids[0])).toEqual([{ phone: '020' }])
  await tab.requestPull(tab.device)
  expect(contacts.get(ids[1] ?? '')).toBeUndefined()
  expect(contacts.get(ids[2] ?? '')).toMatchObject({ title: 'Buyer', owner_id: userId })
})

test('selected records whose change is refused are shown as before', async () => {
  const { tab } = acme
  const ids = [await makeDeal(tab), await makeDeal(tab)]
  const outcome = await tab.updateRecords(tab.device, 'deals', ids, { stage_id: crypto.randomUUID() })
  expect(outcome).toMatchObject({ status: 'refused', code: '23503' })
  for (const id of ids) {
    expect(dataOf(tab).tables.deals.get(id)).toMatchObject({ stage_id: stageOf(tab, 'Incoming').id, version: 1 })
  }
  expect(tab.queue(tab.device).get().operations).toEqual([])
})

test('a record is found on the device, on the server, or reported as missing', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  expect(tab.recordView(dataOf(tab), 'deals', id).read()).toMatchObject({ ready: true, missing: false, row: { id } })
  // Opens a link to a deal that a colleague has just created.
  const [createdDeal] = await inDatabase<{ id: string }>(
    `insert into deals (brand_id, name, stage_id) values ($1, 'Just made', $2) returning id`,
    acme.brandId,
    stageOf(tab, 'Incoming').id,
  )
  const createdView = tab.recordView(dataOf(tab), 'deals', createdDeal?.id ?? '')
  const stop = createdView.subscribe(() => {})
  await vi.waitFor(
    () => expect(createdView.read()).toMatchObject({ ready: true, row: { name: 'Just made' } }),
    waitOptions,
  )
  stop()
  for (const unknown of [crypto.randomUUID(), 'no-id']) {
    const missingView = tab.recordView(dataOf(tab), 'deals', unknown)
    const stopLooking = missingView.subscribe(() => {})
    await vi.waitFor(() => expect(missingView.read()).toEqual({ ready: true, row: null, missing: true }), waitOptions)
    stopLooking()
  }
})

test('an open record that is deleted is missing, and found again after the undo', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  const openView = tab.recordView(dataOf(tab), 'deals', id)
  const stop = openView.subscribe(() => {})
  expect(openView.read().row).not.toBeNull()
  void tab.deleteRecords(tab.device, 'deals', [id])
  expect(openView.read()).toEqual({ ready: true, row: null, missing: true })
  void tab.restoreRecords(tab.device, 'deals', [id])
  expect(openView.read()).toMatchObject({ missing: false, row: { id } })
  await untilSent(tab)
  expect(openView.read()).toMatchObject({ missing: false, row: { id } })
  stop()
})

test('the brand of a record is searched in the user’s own brands only', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  expect(await tab.brandOfRecord(tab.device, 'deals', id)).toBe(acme.brandId)
  const [otherBrand] = await inDatabase<{ id: string }>(
    `insert into brands (name, slug) values ('Umbra', 'umbra') returning id`,
  )
  const [foreignCompany] = await inDatabase<{ id: string }>(
    `insert into companies (brand_id, name) values ($1, 'Theirs') returning id`,
    otherBrand?.id,
  )
  expect(await tab.brandOfRecord(tab.device, 'companies', foreignCompany?.id ?? '')).toBeNull()
})

test('a deal lists its tasks, open ones first and by date, and a company its contacts, also after changes', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  const [first, second] = [await makeTask(id, 'First'), await makeTask(id, 'Second')]
  await tab.updateRecord(tab.device, 'tasks', second, { due_at: '2026-12-01T09:00:00+00:00' })
  const tasks = () => tab.tasksOfDeal(dataOf(tab), id).read()
  expect(tasks()).toMatchObject({ ready: true, total: 2, entries: [{ task: { id: second } }, { task: { id: first } }] })
  await tab.setTaskStatus(tab.device, second, 'done')
  expect(tasks().entries.map(({ task }) => task.id)).toEqual([first, second])
  await makeContact('zoe@acme.test', 'Borealis')
  await tab.requestPull(tab.device)
  const [company] = dataOf(tab).tables.companies.values()
  expect(tab.contactsOfCompany(dataOf(tab), company?.id ?? '').read()).toMatchObject({
    total: 1,
    entries: [{ contact: { email: 'zoe@acme.test' }, companyName: 'Borealis' }],
  })
})

test('the list of people shows the user first, colleagues by name, and marks former members', async () => {
  const { tab, brandId, userId } = acme
  const [bo] = await inDatabase<{ id: string }>(
    `insert into auth.users (id, email) values (gen_random_uuid(), 'bo-' || gen_random_uuid() || '@acme.test') returning id`,
  )
  await inDatabase(
    `insert into memberships (brand_id, user_id, role, display_name) values ($1, $2, 'member', 'Bo')`,
    brandId,
    bo?.id,
  )
  await tab.requestPull(tab.device)
  const people = () => tab.peopleView(dataOf(tab)).read()
  expect(people().members.map(({ name, isMe }) => [name, isMe])).toEqual([
    [people().me?.name, true],
    ['Bo', false],
  ])
  expect(people().byId(bo?.id ?? '')).toMatchObject({ name: 'Bo', isMember: true })
  expect(people().byId(null)).toBeNull()
  const id = await makeDeal(tab)
  await tab.updateRecord(tab.device, 'deals', id, { owner_id: bo?.id ?? null })
  await inDatabase('delete from memberships where brand_id = $1 and user_id = $2', brandId, bo?.id)
  await tab.requestPull(tab.device)
  const untilShownAs = (name: string) =>
    vi.waitFor(() => {
      const person = people().byId(bo?.id ?? '')
      expect(person).toEqual({ userId: bo?.id, name, isMe: false, isMember: false })
    }, waitOptions)
  await untilShownAs('Former member')
  await untilShownAs('Bo')
  expect(dataOf(tab).tables.deals.get(id)?.owner_id).toBeNull()
  expect(people().byId(userId)?.isMe).toBe(true)
})
