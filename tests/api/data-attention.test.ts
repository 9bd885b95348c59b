import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, goOffline, makeDeal, stageOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme, server } from '../harness/acme-scene.ts'
import { signUpPerson } from '../harness/client.ts'

/** These tests are about the list 'Needs attention' and its texts. tests/long/conflicts.test.ts covers all conflicts. */
setUpAcme()

const deals = () => dataOf(acme.tab).tables.deals

/** Waits until the clock has advanced, because times of edits are compared in milliseconds. */
const untilLater = () => new Promise((resolve) => setTimeout(resolve, 5))

test('if a user and a colleague edit the same field, the other field of the user’s edit is saved even if the colleague’s value is chosen', async () => {
  const id = await makeDeal(acme.tab)
  goOffline(acme)
  await acme.tab.updateRecord(acme.tab.device, 'deals', id, {
    amount: 62_700,
    expected_close_date: '2026-12-24',
  })
  await inDatabase('update public.deals set amount = 58900 where id = $1', id)
  await goOnline(acme)
  const [operation] = acme.tab.queue(acme.tab.device).get().operations
  expect(operation && acme.tab.queueLine(acme.tab.device, operation, [operation])).toMatchObject({
    title: 'Edit of deal “Data migration”',
    conflicts: [{ name: 'amount', base: '£100', mine: '£62,700', theirs: '£58,900' }],
    otherFields: ['expected close date'],
    wasOffline: true,
  })
  await acme.tab.resolveConflict(acme.tab.device, operation?.id ?? '', 'theirs')
  await untilSent(acme.tab)
  expect(deals().get(id)).toMatchObject({ amount: 58_900, expected_close_date: '2026-12-24' })
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('after several deals were moved offline, a colleague’s later move stays, and a deal that a colleague deleted waits for a decision; each has a notice', async () => {
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab), await makeDeal(acme.tab)]
  const [keptId, movedId, deletedId] = ids
  const notices: string[] = []
  acme.tab.onNotice(acme.tab.device, ({ text, detail }) => notices.push([text, detail].filter(Boolean).join(': ')))
  goOffline(acme)
  await acme.tab.updateRecords(acme.tab.device, 'deals', ids, {
    stage_id: stageOf(acme.tab, 'Won').id,
  })
  await untilLater()
  await inDatabase('update public.deals set stage_id = $2 where id = $1', movedId, stageOf(acme.tab, 'Lost').id)
  await inDatabase('delete from public.deals where id = $1', deletedId)
  await goOnline(acme)
  // On a busy machine the first attempt may get no response in time.
  await untilSent(acme.tab)
  const [operation] = acme.tab.queue(acme.tab.device).get().operations
  expect(operation).toMatchObject({ state: 'deleted', rowIds: [deletedId], title: 'Move 3 deals to Won' })
  expect(deals().get(keptId ?? '')?.stage_id).toBe(stageOf(acme.tab, 'Won').id)
  expect(deals().get(movedId ?? '')?.stage_id).toBe(stageOf(acme.tab, 'Lost').id)
  expect(notices).toEqual([
    'A colleague moved Data migration after you',
    'Needs attention: Move 3 deals to Won: the record was deleted meanwhile.',
  ])
  await acme.tab.restoreDeleted(acme.tab.device, operation?.id ?? '')
  await untilSent(acme.tab)
  expect(deals().get(deletedId ?? '')?.stage_id).toBe(stageOf(acme.tab, 'Won').id)
})

test('a colleague’s later move of a deal stays even if the device did not know that it was offline when it moved the deal', async () => {
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab)]
  const [keptId, movedId] = ids
  // The reads are refused too: a read that passed just before the colleague's move would not show that move.
  acme.browser.network.judge = (url) => (url.includes('/deals?') ? 'refuse' : 'pass')
  acme.tab.reachable(acme.tab.device).set(true)
  const outcome = acme.tab.updateRecords(acme.tab.device, 'deals', ids, { stage_id: stageOf(acme.tab, 'Won').id })
  await vi.waitFor(() => expect(acme.tab.reachable(acme.tab.device).get()).toBe(false), 5000)
  goOffline(acme)
  await untilLater()
  await inDatabase('update public.deals set stage_id = $2 where id = $1', movedId, stageOf(acme.tab, 'Lost').id)
  await goOnline(acme)
  await untilSent(acme.tab)
  await outcome
  expect(deals().get(keptId ?? '')?.stage_id).toBe(stageOf(acme.tab, 'Won').id)
  expect(deals().get(movedId ?? '')?.stage_id).toBe(stageOf(acme.tab, 'Lost').id)
})

test('after a decision for a colleague’s value, later waiting edits of the same field need a decision too', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  goOffline(acme)
  await tab.updateRecord(tab.device, 'deals', id, { name: 'First' })
  await tab.updateRecord(tab.device, 'deals', id, { name: 'Second' })
  await inDatabase("update public.deals set name = 'Theirs' where id = $1", id)
  await goOnline(acme)
  // The colleague's row is on the device, and the screen shows 'Second' over it.
  await tab.updateRecord(tab.device, 'deals', id, { name: 'Third' })
  const nextConflict = () => {
    const [operation] = tab.queue(tab.device).get().operations
    const line = operation && tab.queueLine(tab.device, operation, [operation])
    return { id: operation?.id ?? '', conflicts: line?.conflicts }
  }
  const base = 'Data migration'
  for (const mine of ['First', 'Second', 'Third']) {
    await vi.waitFor(() =>
      expect(nextConflict().conflicts).toMatchObject([{ name: 'name', base, mine, theirs: 'Theirs' }]),
    )
    await tab.resolveConflict(tab.device, nextConflict().id, mine === 'Third' ? 'mine' : 'theirs')
  }
  await untilSent(tab)
  expect(await inDatabase('select name from public.deals where id = $1', id)).toEqual([{ name: 'Third' }])
})

test('a deleted deal is restored with the user’s edits that waited because of the delete, also if the restore is requested twice', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  goOffline(acme)
  await tab.updateRecord(tab.device, 'deals', id, { name: 'Mine' })
  await tab.updateRecord(tab.device, 'deals', id, { amount: 7 })
  await inDatabase('delete from public.deals where id = $1', id)
  await goOnline(acme)
  const states = () =>
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ state }) => state)
  await vi.waitFor(() => expect(states()).toEqual(['deleted', 'waiting']))
  await Promise.all([tab.restoreRecords(tab.device, 'deals', [id]), tab.restoreRecords(tab.device, 'deals', [id])])
  await untilSent(tab)
  expect(tab.queue(tab.device).get().operations).toEqual([])
  expect(await inDatabase('select name, amount::int from public.deals where id = $1', id)).toEqual([
    { name: 'Mine', amount: 7 },
  ])
})

test('an edit of a deal whose delete has already arrived causes no conflict with the user’s own value when the deal is restored', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  await inDatabase('delete from public.deals where id = $1', id)
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect(deals().get(id)).toBeUndefined(), waitOptions)
  await tab.updateRecord(tab.device, 'deals', id, { amount: 7, amount_currency: 'GBP' })
  const operations = () => tab.queue(tab.device).get().operations
  await vi.waitFor(() => expect(operations()).toMatchObject([{ state: 'deleted' }]), waitOptions)
  expect(operations()).toMatchObject([{ title: 'Amount of “Data migration”', base: { amount: 100 } }])
  await tab.restoreDeleted(tab.device, operations()[0]?.id ?? '')
  await untilSent(tab)
  expect(operations()).toEqual([])
  expect(await inDatabase('select amount::int from public.deals where id = $1', id)).toEqual([{ amount: 7 }])
})

test('an edit that waits behind a refused edit of the same record is sent once the refused one is discarded', async () => {
  const id = await makeDeal(acme.tab)
  const refusedEdit = acme.tab.updateRecord(acme.tab.device, 'deals', id, { amount: -5 })
  const savedEdit = acme.tab.updateRecord(acme.tab.device, 'deals', id, { name: 'Roof' })
  expect(await refusedEdit).toMatchObject({ status: 'refused' })
  expect(await savedEdit).toEqual({ status: 'saved', id })
  expect(await inDatabase('select name, amount::int from public.deals where id = $1', id)).toEqual([
    { name: 'Roof', amount: 100 },
  ])
})

test('a late refusal is shown with the message of the specification; dependent operations are retried with the refused one', async () => {
  const notices: (string | null)[][] = []
  acme.tab.onNotice(acme.tab.device, ({ kind, text, detail }) => notices.push([kind, text, detail]))
  const [lostStage] = await inDatabase(
    `delete from public.deal_stages where brand_id = $1 and name = 'Lost' returning id`,
    acme.brandId,
  )
  goOffline(acme)
  const dealFields = { name: 'Roof', amount: 1, expected_close_date: null, contact_id: null, company_id: null }
  const deal = await acme.tab.createDeal(acme.tab.device, { ...dealFields, stage_id: String(lostStage?.id) })
  const dealId = deal.status === 'queued' ? deal.id : expect.fail(deal.status)
  await acme.tab.createTask(acme.tab.device, {
    title: 'Call',
    due_at: null,
    priority: 'normal',
    contact_id: null,
    deal_id: dealId,
  })
  await goOnline(acme)
  const message = 'Its stage no longer exists.'
  expect(notices).toEqual([['attention', 'Error creating deal', message]])
  const lines = () => {
    const { operations } = acme.tab.queue(acme.tab.device).get()
    return operations.map((operation) => acme.tab.queueLine(acme.tab.device, operation, operations))
  }
  expect(lines()).toMatchObject([
    { title: 'New deal “Roof”', state: 'failed', reason: `Error creating deal: ${message}`, dependentCount: 1 },
    { title: 'New task “Call”', state: 'waiting', reason: 'waits for the deal' },
  ])
  await inDatabase(
    `insert into public.deal_stages (id, brand_id, name, position) values ($1, $2, 'Lost', 9)`,
    lostStage?.id,
    acme.brandId,
  )
  await acme.tab.retryOperation(acme.tab.device, lines()[0]?.id ?? '')
  await untilSent(acme.tab)
  expect(lines()).toEqual([])
  expect(await inDatabase('select title from public.tasks where deal_id = $1', dealId)).toEqual([{ title: 'Call' }])
})

test('a corrected new deal replaces the refused one; if it is refused again, it stays in the list, and its dependent operations wait for it', async () => {
  const { tab } = acme
  const notices: string[] = []
  tab.onNotice(tab.device, ({ text }) => notices.push(text))
  const [lostStage] = await inDatabase(
    `delete from public.deal_stages where brand_id = $1 and name = 'Lost' returning id`,
    acme.brandId,
  )
  goOffline(acme)
  const dealFields = { name: 'Roof', amount: 1, expected_close_date: null, contact_id: null, company_id: null }
  const deal = await tab.createDeal(tab.device, { ...dealFields, stage_id: String(lostStage?.id) })
  const dealId = deal.status === 'queued' ? deal.id : expect.fail(deal.status)
  await tab.createTask(tab.device, {
    title: 'Call',
    due_at: null,
    priority: 'normal',
    contact_id: null,
    deal_id: dealId,
  })
  await goOnline(acme)
  const queueLines = () =>
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ title, state }) => `${title}: ${state}`)
  const refusedLines = ['New deal “Roof”: failed', 'New task “Call”: waiting']
  expect(queueLines()).toEqual(refusedLines)

  const [first] = tab.queue(tab.device).get().operations
  expect(first && tab.queueLine(tab.device, first, [first]).canCorrect).toBe(true)
  expect(tab.beginCorrection(tab.device, first?.id ?? '')).toBe('deals')

  const correction = await tab.createDeal(
    tab.device,
    { ...dealFields, amount: 2, stage_id: String(lostStage?.id) },
    dealId,
  )
  expect(correction.status).toBe('refused')
  expect(queueLines()).toEqual(refusedLines)
  expect(tab.queue(tab.device).get().operations[0]?.values.amount).toBe(2)

  const stage_id = stageOf(tab, 'Incoming').id
  expect(await tab.createDeal(tab.device, { ...dealFields, amount: 3, stage_id }, dealId)).toEqual({
    status: 'saved',
    id: dealId,
  })
  await untilSent(tab)
  expect(queueLines()).toEqual([])
  expect(await inDatabase('select id, amount::int from public.deals where brand_id = $1', acme.brandId)).toEqual([
    { id: dealId, amount: 3 },
  ])
  expect(await inDatabase('select title from public.tasks where deal_id = $1', dealId)).toEqual([{ title: 'Call' }])
  // The form shows the second refusal, so there is no second notice.
  expect(notices).toEqual(['Error creating deal'])
})

test('a refused new contact that is corrected offline to the e-mail of an existing one becomes a change of the existing contact, with its later edits', async () => {
  const { tab } = acme
  const zoe = { email: 'zoe@slate.test', first_name: 'Zoe', last_name: null, company: null }
  const existing = await tab.addContact(tab.device, zoe)
  goOffline(acme)
  const creation = await tab.addContact(tab.device, { ...zoe, email: 'zoe at slate' })
  const createdId = creation.status === 'queued' ? creation.id : expect.fail(creation.status)
  await tab.updateRecord(tab.device, 'contacts', createdId, { phone: '0123' })
  await goOnline(acme)
  expect(
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ state }) => state),
  ).toEqual(['failed', 'waiting'])
  goOffline(acme)
  expect(await tab.addContact(tab.device, { ...zoe, last_name: 'Mostyn' }, createdId)).toEqual({
    status: 'queued',
    id: createdId,
  })
  await goOnline(acme)
  await untilSent(tab)
  expect(tab.queue(tab.device).get().operations).toEqual([])
  expect(
    await inDatabase('select id, email, last_name, phone from public.contacts where brand_id = $1', acme.brandId),
  ).toEqual([{ id: existing.status === 'saved' && existing.id, email: zoe.email, last_name: 'Mostyn', phone: '0123' }])
})

test('waiting operations of each kind are listed in readable words', async () => {
  const { tab } = acme
  const dealId = await makeDeal(tab)
  const details = { domain: null, phone: null, website: null, notes: null }
  const company = await tab.addCompany(tab.device, { name: 'Slate', ...details })
  const companyId = company.status === 'saved' ? company.id : expect.fail(company.status)
  const taskDefaults = { due_at: null, priority: 'normal', contact_id: null, deal_id: null } as const
  const task = await tab.createTask(tab.device, { title: 'Call', ...taskDefaults })
  const taskId = task.status === 'saved' ? task.id : expect.fail(task.status)
  goOffline(acme)
  await tab.addContact(tab.device, {
    email: 'ifor@mostyn.test',
    first_name: 'Ifor',
    last_name: 'Mostyn',
    company: null,
  })
  await tab.addCompany(tab.device, { name: 'Depot', ...details })
  await tab.quickCreateDeal(tab.device, stageOf(tab, 'Incoming'))
  await tab.createTask(tab.device, { title: 'Write', ...taskDefaults })
  await tab.moveDeal(tab.device, dealId, stageOf(tab, 'Proposal').id)
  await tab.updateRecord(tab.device, 'deals', dealId, { owner_id: null })
  await tab.updateRecord(tab.device, 'companies', companyId, { phone: '1', website: 'https://slate.test' })
  await tab.updateRecord(tab.device, 'tasks', taskId, { due_at: '2026-12-01T09:00:00+00:00' })
  await tab.setTaskStatus(tab.device, taskId, 'done')
  await tab.setTaskStatus(tab.device, taskId, 'open')
  const [addedCompany] = [...dataOf(tab).tables.companies.values()].filter(({ name }) => name === 'Depot')
  await tab.updateRecords(tab.device, 'companies', [companyId, addedCompany?.id ?? ''], { owner_id: null })
  await tab.deleteRecords(tab.device, 'tasks', [taskId])
  await tab.restoreRecords(tab.device, 'tasks', [taskId])
  expect(
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ title }) => title),
  ).toEqual([
    'Add contact Ifor Mostyn',
    'Add company Depot',
    'New deal “New Deal - Incoming”',
    'New task “Write”',
    'Move “Data migration” to Proposal',
    'Owner of “Data migration”',
    'Edit of company “Slate”',
    'Due date of “Call”',
    'Complete “Call”',
    'Reopen “Call”',
    'Owner of 2 companies',
    'Delete “Call”',
    'Bring back “Call”',
  ])
  await goOnline(acme)
  await untilSent(tab)
  expect(tab.queue(tab.device).get().operations).toEqual([])
})

test('a refused addition of a further contact to a deal cannot be corrected in a form', async () => {
  const { tab } = acme
  const dealId = await makeDeal(tab)
  goOffline(acme)
  const nobody = { id: crypto.randomUUID(), label: 'Nobody' }
  await tab.addDealContact(tab.device, dealId, nobody, 'decides')
  await goOnline(acme)
  const [operation] = tab.queue(tab.device).get().operations
  expect(operation && tab.queueLine(tab.device, operation, [operation])).toMatchObject({
    title: 'Add “Nobody” to a deal',
    state: 'failed',
    canCorrect: false,
  })
  expect(tab.beginCorrection(tab.device, operation?.id ?? '')).toBeNull()
})

test('an edit and a delete of tags are refused if the user is no longer an admin when they are sent; the tags stay on the device', async () => {
  const { tab } = acme
  const sql = 'insert into public.tags (brand_id, name) values ($1, $2) returning id'
  const [vip, press] = [
    (await inDatabase<{ id: string }>(sql, acme.brandId, 'VIP'))[0] ?? expect.fail('no tag'),
    (await inDatabase<{ id: string }>(sql, acme.brandId, 'Press'))[0] ?? expect.fail('no tag'),
  ]
  await tab.requestPull(tab.device)
  const tags = dataOf(tab).tables.tags
  await vi.waitFor(() => expect(tags.size).toBe(2), waitOptions)
  goOffline(acme)
  await tab.updateRecord(tab.device, 'tags', vip.id, { name: 'Guests' })
  await tab.deleteRecords(tab.device, 'tags', [press.id])
  expect([tags.get(vip.id)?.name, tags.get(press.id)]).toEqual(['Guests', undefined])
  const { user } = await signUpPerson(server, `bo-${acme.brandId}@acme.test`)
  const insertMember = `insert into public.memberships (brand_id, user_id, role, display_name) values ($1, $2, 'owner', 'Bo')`
  await inDatabase(insertMember, acme.brandId, user.id)
  const demoteMember = `update public.memberships set role = 'member' where brand_id = $1 and user_id = $2`
  await inDatabase(demoteMember, acme.brandId, acme.userId)
  await goOnline(acme)
  await untilSent(tab)
  const refusedOperations = tab.queue(tab.device).get().operations
  expect(refusedOperations).toMatchObject([
    { kind: 'update', state: 'failed', code: '42501' },
    { kind: 'delete', state: 'failed', code: '42501' },
  ])
  expect(refusedOperations.map((operation) => tab.queueLine(tab.device, operation, refusedOperations).reason)).toEqual([
    'Error updating tag: You may not do this.',
    'Error deleting tag: You may not do this.',
  ])
  const tagRequests = acme.browser.network.log.filter(
    ({ method, path }) => path === '/rest/v1/tags' && method !== 'GET',
  )
  expect(tagRequests.map(({ method }) => method)).toEqual(['PATCH', 'DELETE'])
  for (const { id } of refusedOperations) await tab.discardOperation(tab.device, id)
  expect([tags.get(vip.id)?.name, tags.get(press.id)?.name]).toEqual(['VIP', 'Press'])
})

test('if a colleague edits a field after an edit whose response was lost, the user’s next edit does not overwrite the text that the user has not seen', async () => {
  const { tab, browser } = acme
  const id = await makeDeal(tab)
  browser.network.judge = (_, { method }) => (method === 'PATCH' ? 'drop-answer' : 'pass')
  await tab.updateRecord(tab.device, 'deals', id, { name: 'First' })
  expect(await inDatabase('select name from public.deals where id = $1', id)).toEqual([{ name: 'First' }])
  await inDatabase(`update public.deals set name = 'Theirs' where id = $1`, id)
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect(deals().serverRow(id)?.name).toBe('Theirs'), waitOptions)
  // The first edit still waits, so the screen shows its text.
  expect(deals().get(id)?.name).toBe('First')
  goOffline(acme)
  await tab.updateRecord(tab.device, 'deals', id, { name: 'Second' })
  await goOnline(acme)
  await untilSent(tab)
  expect(await inDatabase('select name from public.deals where id = $1', id)).toEqual([{ name: 'Theirs' }])
  const [operation] = tab.queue(tab.device).get().operations
  expect(operation).toMatchObject({
    state: 'conflict',
    conflicts: [{ field: 'name', base: 'First', mine: 'Second', theirs: 'Theirs' }],
  })
  await tab.resolveConflict(tab.device, operation?.id ?? '', 'mine')
  await untilSent(tab)
  expect(await inDatabase('select name from public.deals where id = $1', id)).toEqual([{ name: 'Second' }])
})

test('a refused move blocks neither an edit of another field nor the move that replaces it, which removes it from the queue', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  goOffline(acme)
  const gone = '00000000-0000-4000-8000-000000000000'
  await tab.moveDeal(tab.device, id, gone)
  await tab.updateRecord(tab.device, 'deals', id, { amount: 31 })
  await goOnline(acme)
  await untilSent(tab)
  const states = () =>
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ state }) => state)
  expect(states()).toEqual(['failed'])
  expect(dataOf(tab).tables.deals.get(id)).toMatchObject({ amount: 31, stage_id: stageOf(tab, 'Incoming').id })
  const won = stageOf(tab, 'Won').id
  expect(await tab.moveDeal(tab.device, id, won)).toMatchObject({ status: 'saved' })
  expect(states()).toEqual([])
  expect(await inDatabase('select stage_id, amount::float8 from public.deals where id = $1', id)).toEqual([
    { stage_id: won, amount: 31 },
  ])
})
