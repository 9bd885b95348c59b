import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, goOffline, makeDeal, stageOf, stagesOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'
import { OutboxDatabase } from '#web/data/store/outbox-db.ts'

setUpAcme()

const deals = () => dataOf(acme.tab).tables.deals

function stageChanges(dealId: string) {
  return inDatabase('select to_stage_id from public.deal_stage_changes where deal_id = $1 order by changed_at', dealId)
}

test('a new brand has its six stages, and a new deal is saved and leaves the outbox', async () => {
  expect(stagesOf(acme.tab).map(({ name }) => name)).toEqual([
    'Incoming',
    'Qualified',
    'Proposal',
    'Verbal Yes',
    'Won',
    'Lost',
  ])
  const id = await makeDeal(acme.tab)
  expect(deals().get(id)).toMatchObject({ name: 'Data migration', amount: 100, version: 1 })
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('a move of a deal is shown before any response', async () => {
  const id = await makeDeal(acme.tab)
  const won = stageOf(acme.tab, 'Won').id
  const outcome = acme.tab.moveDeal(acme.tab.device, id, won)
  expect(deals().get(id)?.stage_id).toBe(won)
  expect(deals().isWaiting(id)).toBe(true)
  expect(await outcome).toEqual({ status: 'saved', id })
  expect(deals().get(id)).toMatchObject({ stage_id: won, version: 2 })
  expect(deals().isWaiting(id)).toBe(false)
})

test('offline edits of one row are sent in order, each once', async () => {
  const id = await makeDeal(acme.tab)
  goOffline(acme)
  for (const name of ['Qualified', 'Proposal', 'Won']) {
    expect(await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, name).id)).toEqual({
      status: 'queued',
      id,
    })
  }
  expect(deals().get(id)?.stage_id).toBe(stageOf(acme.tab, 'Won').id)
  expect(await acme.tab.countUnsent(acme.tab.device)).toBe(3)
  await goOnline(acme)
  await untilSent(acme.tab)
  const stageIds = ['Incoming', 'Qualified', 'Proposal', 'Won'].map((name) => ({
    to_stage_id: stageOf(acme.tab, name).id,
  }))
  expect((await stageChanges(id)).slice(-3)).toEqual(stageIds.slice(-3))
  expect(deals().get(id)).toMatchObject({ stage_id: stageOf(acme.tab, 'Won').id, version: 4 })
})

test('a move whose response is lost is sent again with the same key, and applied once', async () => {
  const id = await makeDeal(acme.tab)
  const before = (await stageChanges(id)).length
  let dropCount = 0
  acme.browser.network.judge = (url, init) =>
    init.method === 'PATCH' && url.includes('/deals') && dropCount++ < 1 ? 'drop-answer' : 'pass'
  acme.browser.network.log.length = 0
  const outcome = await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Proposal').id)
  expect(outcome.status).not.toBe('refused')
  await untilSent(acme.tab)
  const patches = acme.browser.network.log.filter(({ method }) => method === 'PATCH')
  expect(patches.length).toBe(2)
  expect(new Set(patches.map(({ key }) => key)).size).toBe(1)
  expect((await stageChanges(id)).length - before).toBe(1)
  expect(deals().get(id)).toMatchObject({ stage_id: stageOf(acme.tab, 'Proposal').id, version: 2 })
})

test('a new deal whose response is lost becomes one row, and later edits apply to this row', async () => {
  let dropCount = 0
  acme.browser.network.judge = (url, init) =>
    init.method === 'POST' && url.includes('/deals') && dropCount++ < 1 ? 'drop-answer' : 'pass'
  const stage_id = stageOf(acme.tab, 'Incoming').id
  const otherFields = { amount: 7, expected_close_date: null, contact_id: null, company_id: null }
  const outcome = await acme.tab.createDeal(acme.tab.device, {
    name: 'Lost answer',
    stage_id,
    ...otherFields,
  })
  if (outcome.status === 'refused') return expect.fail(outcome.message)
  await acme.tab.moveDeal(acme.tab.device, outcome.id, stageOf(acme.tab, 'Won').id)
  await untilSent(acme.tab)
  expect(await inDatabase('select stage_id, version from public.deals where name = $1', 'Lost answer')).toEqual([
    { stage_id: stageOf(acme.tab, 'Won').id, version: 2 },
  ])
})

test('a new contact whose response is lost becomes the contact that a colleague has added with the same e-mail address; later edits apply to that contact', async () => {
  const { tab } = acme
  const email = 'met-twice@acme.example'
  let requestCount = 0
  let colleaguesContactId = ''
  acme.browser.network.judge = async (url) => {
    if (!url.endsWith('/rpc/upsert_contact')) return 'pass'
    requestCount += 1
    if (requestCount > 1) {
      // Empties the name, so that the second request has something to write: only a write is recognised as a repetition.
      await inDatabase('update public.contacts set first_name = null where id = $1', colleaguesContactId)
      return 'pass'
    }
    const [row] = await inDatabase<{ id: string }>(
      'insert into public.contacts (brand_id, email) values ($1, $2) returning id',
      acme.brandId,
      email,
    )
    colleaguesContactId = row?.id ?? ''
    return 'drop-answer'
  }
  const noFields = { first_name: null, last_name: null, phone: null, title: null, company: null }
  const addition = tab.addContact(tab.device, { ...noFields, email, first_name: 'Kim' })
  const createdContactId =
    Array.from(dataOf(tab).tables.contacts.values()).find((contact) => contact.email === email)?.id ?? ''
  void tab.updateRecord(tab.device, 'contacts', createdContactId, { title: 'Buyer' })
  expect(await addition).toMatchObject({ status: 'saved', id: colleaguesContactId })
  await untilSent(tab)
  expect(requestCount).toBe(2)
  expect(await inDatabase('select id, first_name, title from public.contacts where email = $1', email)).toEqual([
    { id: colleaguesContactId, first_name: null, title: 'Buyer' },
  ])
})

test('a refusal removes the preview and the operation, and returns the server’s error code', async () => {
  const id = await makeDeal(acme.tab)
  const outcome = await acme.tab.moveDeal(acme.tab.device, id, '00000000-0000-4000-8000-000000000000')
  expect(outcome).toMatchObject({ status: 'refused', code: '23503' })
  expect(deals().get(id)?.stage_id).toBe(stageOf(acme.tab, 'Incoming').id)
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('a queued operation that is refused needs attention, and the operations that depend on it wait; discarding it removes them too', async () => {
  goOffline(acme)
  const otherFields = { amount: 1, expected_close_date: null, contact_id: null, company_id: null }
  const outcome = await acme.tab.createDeal(acme.tab.device, {
    name: 'Nowhere',
    stage_id: '00000000-0000-4000-8000-000000000000',
    ...otherFields,
  })
  if (outcome.status !== 'queued') return expect.fail(outcome.status)
  await acme.tab.createTask(acme.tab.device, {
    title: 'Call',
    due_at: null,
    priority: 'normal',
    contact_id: null,
    deal_id: outcome.id,
  })
  await goOnline(acme)
  const states = () =>
    acme.tab
      .queue(acme.tab.device)
      .get()
      .operations.map(({ state }) => state)
  expect(states()).toEqual(['failed', 'waiting'])
  expect(deals().get(outcome.id)).toBeUndefined()
  await acme.tab.discardOperation(acme.tab.device, acme.tab.queue(acme.tab.device).get().operations[0]?.id ?? '')
  expect(states()).toEqual([])
  expect([...dataOf(acme.tab).tables.tasks.values()]).toEqual([])
})

test('a new contact with the e-mail address of an existing one gets the id of the existing contact, also in the deal that links to it', async () => {
  const [existing] = await inDatabase<{ id: string }>(
    'insert into public.contacts (brand_id, email, first_name) values ($1, $2, $3) returning id',
    acme.brandId,
    'Owen@davies.test',
    'Owen',
  )
  goOffline(acme)
  const contact = await acme.tab.addContact(acme.tab.device, {
    email: 'owen@DAVIES.test',
    first_name: null,
    last_name: 'Davies',
    company: 'Slate & Co',
  })
  if (contact.status !== 'queued') return expect.fail(contact.status)
  expect(contact.id).not.toBe(existing?.id)
  const stage_id = stageOf(acme.tab, 'Incoming').id
  await acme.tab.createDeal(acme.tab.device, {
    name: 'Roof',
    stage_id,
    amount: 1,
    expected_close_date: null,
    contact_id: contact.id,
    company_id: null,
  })
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(await inDatabase('select contact_id from public.deals where name = $1', 'Roof')).toEqual([
    { contact_id: existing?.id },
  ])
  expect(
    await inDatabase('select first_name, last_name from public.contacts where brand_id = $1', acme.brandId),
  ).toEqual([{ first_name: 'Owen', last_name: 'Davies' }])
  const contacts = dataOf(acme.tab).tables.contacts
  expect([...contacts.values()].map(({ id }) => id)).toEqual([existing?.id])
})

test('if a colleague changed another field of the record, both changes stand', async () => {
  const id = await makeDeal(acme.tab)
  goOffline(acme)
  await acme.tab.update(acme.tab.device, {
    table: 'deals',
    rowId: id,
    title: '',
    icon: 'edit',
    values: { name: 'Mine' },
  })
  await inDatabase('update public.deals set amount = 250 where id = $1', id)
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(await inDatabase('select name, amount::float, version from public.deals where id = $1', id)).toEqual([
    { name: 'Mine', amount: 250, version: 3 },
  ])
})

test('if a colleague changed the same field of the record, the user has to decide, and either decision is applied', async () => {
  for (const keep of ['mine', 'theirs'] as const) {
    const id = await makeDeal(acme.tab)
    goOffline(acme)
    await acme.tab.update(acme.tab.device, {
      table: 'deals',
      rowId: id,
      title: '',
      icon: 'edit',
      values: { amount: 62_700 },
    })
    await inDatabase('update public.deals set amount = 58900 where id = $1', id)
    await goOnline(acme)
    const [operation] = acme.tab.queue(acme.tab.device).get().operations
    expect(operation).toMatchObject({
      state: 'conflict',
      conflicts: [{ field: 'amount', base: 100, mine: 62_700, theirs: 58_900 }],
    })
    expect(deals().get(id)?.amount).toBe(58_900)
    await acme.tab.resolveConflict(acme.tab.device, operation?.id ?? '', keep)
    await untilSent(acme.tab)
    const amount = keep === 'mine' ? 62_700 : 58_900
    expect(await inDatabase('select amount::float from public.deals where id = $1', id)).toEqual([{ amount }])
    expect(deals().get(id)?.amount).toBe(amount)
    expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
  }
})

test('if the user is asked about a field after an own edit of the same record, the question names who changed the field, and when', async () => {
  const { tab, userId } = acme
  const details: (string | null)[] = []
  tab.onNotice(tab.device, ({ detail }) => details.push(detail))
  for (const by of [crypto.randomUUID(), userId]) {
    const id = await makeDeal(tab)
    goOffline(acme)
    await tab.moveDeal(tab.device, id, stageOf(tab, 'Qualified').id)
    await tab.updateRecord(tab.device, 'deals', id, { name: 'Renamed' })
    await tab.updateRecord(tab.device, 'deals', id, { amount: 62_700 })
    const [changed] = await inDatabase(
      `with caller as materialized (select set_config('request.jwt.claims', $2, true) as claims)
        update public.deals set amount = 58900 from caller where id = $1 and claims <> '' returning updated_at, updated_by`,
      id,
      JSON.stringify({ sub: by }),
    )
    expect(changed?.updated_by).toBe(by)
    await goOnline(acme)
    await untilSent(tab)
    const [operation] = tab.queue(tab.device).get().operations
    expect(operation).toMatchObject({ state: 'conflict', theirsBy: by })
    expect(new Date(operation?.theirsAt ?? '')).toEqual(changed?.updated_at)
    await tab.resolveConflict(tab.device, operation?.id ?? '', 'theirs')
  }
  expect(details).toEqual([
    'A colleague changed Renamed too. Which is right?',
    'Your other device changed Renamed too. Which is right?',
  ])
})

test('if both sides move a deal, the last move stands; a notice says so if it is the colleague’s', async () => {
  const id = await makeDeal(acme.tab)
  const notices: string[] = []
  acme.tab.onNotice(acme.tab.device, ({ text }) => notices.push(text))
  goOffline(acme)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Qualified').id)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await inDatabase('update public.deals set stage_id = $2 where id = $1', id, stageOf(acme.tab, 'Lost').id)
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(deals().get(id)?.stage_id).toBe(stageOf(acme.tab, 'Lost').id)
  expect(notices).toEqual(['A colleague moved Data migration after you'])

  await inDatabase('update public.deals set stage_id = $2 where id = $1', id, stageOf(acme.tab, 'Won').id)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Proposal').id)).toEqual({
    status: 'saved',
    id,
  })
  expect(await inDatabase('select stage_id from public.deals where id = $1', id)).toEqual([
    { stage_id: stageOf(acme.tab, 'Proposal').id },
  ])
})

test('after an edit of a deleted record the delete stands, and a restore includes the edit', async () => {
  const id = await makeDeal(acme.tab)
  goOffline(acme)
  await acme.tab.update(acme.tab.device, {
    table: 'deals',
    rowId: id,
    title: '',
    icon: 'edit',
    values: { name: 'After all' },
  })
  await inDatabase('delete from public.deals where id = $1', id)
  await goOnline(acme)
  const [operation] = acme.tab.queue(acme.tab.device).get().operations
  expect(operation?.state).toBe('deleted')
  expect(deals().get(id)).toBeUndefined()
  await acme.tab.restoreDeleted(acme.tab.device, operation?.id ?? '')
  await untilSent(acme.tab)
  expect(await inDatabase('select name from public.deals where id = $1', id)).toEqual([{ name: 'After all' }])
})

test('if the outbox cannot be read when a tab is opened, it is read again, and its operations are shown and sent', async () => {
  const id = await makeDeal(acme.tab)
  const won = stageOf(acme.tab, 'Won').id
  goOffline(acme)
  await acme.tab.moveDeal(acme.tab.device, id, won)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const readAllSpy = vi
    .spyOn(OutboxDatabase.prototype, 'readAll')
    .mockRejectedValueOnce(new DOMException('The disk failed.', 'UnknownError'))
  try {
    const reloaded = await acme.browser.openTab()
    const queued = () => reloaded.queue(reloaded.device).get().operations
    await vi.waitFor(
      () => expect(warn).toHaveBeenCalledWith('The outbox cannot be read.', expect.anything()),
      waitOptions,
    )
    await vi.waitFor(() => expect(queued()).toHaveLength(1), waitOptions)
    await vi.waitFor(() => expect(dataOf(reloaded).tables.deals.get(id)?.stage_id).toBe(won), waitOptions)
    // The first tab sends nothing, so that only the new tab can send the move.
    acme.tab.sessionState(acme.tab.device).set({ ready: true, session: null })
    acme.browser.network.offline = false
    reloaded.reachable(reloaded.device).set(true)
    await vi.waitFor(() => expect(queued()).toEqual([]), waitOptions)
    expect(await inDatabase('select stage_id from public.deals where id = $1', id)).toEqual([{ stage_id: won }])
  } finally {
    readAllSpy.mockRestore()
    warn.mockRestore()
  }
})

test('if the local database cannot be opened, the brand is shown from memory, with each change of a colleague', async () => {
  const id = await makeDeal(acme.tab)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const openDatabase = acme.browser.indexedDB.open.bind(acme.browser.indexedDB)
  const openSpy = vi.spyOn(acme.browser.indexedDB, 'open').mockImplementation((name, version) => {
    if (name.startsWith('banyan-rows-')) throw new DOMException('Internal error opening backing store.', 'UnknownError')
    return openDatabase(name, version)
  })
  try {
    const reloaded = await acme.browser.openTab()
    const name = () => dataOf(reloaded).tables.deals.get(id)?.name
    await vi.waitFor(() => expect(name()).toBe('Data migration'), waitOptions)
    await inDatabase("update public.deals set name = 'Renamed' where id = $1", id)
    await reloaded.requestPull(reloaded.device)
    expect(name()).toBe('Renamed')
    const won = stageOf(reloaded, 'Won').id
    expect(await reloaded.moveDeal(reloaded.device, id, won)).toMatchObject({ status: 'saved' })
    expect(dataOf(reloaded).tables.deals.get(id)?.stage_id).toBe(won)
  } finally {
    openSpy.mockRestore()
    warn.mockRestore()
  }
})

test('a new deal whose response was lost is saved, not refused, if it is sent again after the server has removed its key', async () => {
  let attempts = 0
  acme.browser.network.judge = (url, { method }) => {
    if (method !== 'POST' || !url.includes('/rest/v1/deals')) return 'pass'
    attempts += 1
    return attempts === 1 ? 'drop-answer' : 'refuse'
  }
  const { tab } = acme
  const deal = { name: 'Data migration', amount: 100, expected_close_date: null, contact_id: null, company_id: null }
  const outcome = await tab.createDeal(tab.device, { ...deal, stage_id: stageOf(tab, 'Incoming').id })
  expect(outcome.status).toBe('queued')
  await inDatabase('delete from private.applied_keys where user_id = $1', acme.userId)
  await goOnline(acme)
  await untilSent(tab)
  expect(tab.queue(tab.device).get().operations).toEqual([])
  expect(await inDatabase('select name, version from public.deals where brand_id = $1', acme.brandId)).toEqual([
    { name: 'Data migration', version: 1 },
  ])
})
