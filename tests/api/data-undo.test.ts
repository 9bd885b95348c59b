import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { goOnline, dataOf, goOffline, makeDeal, stageOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

afterEach(async () => {
  await goOnline(acme)
  await untilSent(acme.tab)
})

const deals = () => dataOf(acme.tab).tables.deals
const undo = () => acme.tab.undoStep(acme.tab.device)
const redo = () => acme.tab.redoStep(acme.tab.device)
const dealOnServer = (id: string) =>
  inDatabase('select name, amount::float8, stage_id from public.deals where id = $1', id)
const stageId = (name: string) => stageOf(acme.tab, name).id
const editDeal = (id: string, patch: Parameters<typeof acme.tab.updateRecord<'deals'>>[3]) =>
  acme.tab.updateRecord(acme.tab.device, 'deals', id, patch)

/** Writes into the database as a colleague. This device does not know the write yet. */
async function writeAsColleague(sql: string, ...values: unknown[]): Promise<void> {
  await inDatabase(
    `with colleague as (select set_config('request.jwt.claims', json_build_object('sub', gen_random_uuid())::text, true)) ${sql}`,
    ...values,
  )
}

test('edits are undone in reverse order, can be redone, and are named after what they did', async () => {
  const id = await makeDeal(acme.tab)
  await editDeal(id, { name: 'Renewal 2027' })
  await acme.tab.moveDeal(acme.tab.device, id, stageId('Won'))
  await editDeal(id, { amount: 250 })

  expect(undo()?.words).toBe('Amount of Renewal 2027 changed')
  expect(deals().get(id)?.amount).toBe(100)
  const undoneMove = undo()
  expect(undoneMove).toMatchObject({ verb: 'Undid', words: 'Renewal 2027 moved to Won', skipped: [] })
  expect(deals().get(id)).toMatchObject({ stage_id: stageId('Incoming'), closed_at: null })
  expect(await undoneMove?.outcome).toEqual({ status: 'saved', id })
  expect(undo()?.words).toBe('Data migration renamed to Renewal 2027')
  const undoneCreation = undo()
  expect(undoneCreation?.words).toBe('Data migration created')
  expect(deals().get(id)).toBeUndefined()
  await undoneCreation?.outcome
  expect(await dealOnServer(id)).toEqual([])
  expect(undo()).toBeNull()

  expect(redo()).toMatchObject({ verb: 'Redid', words: 'Data migration created' })
  expect(redo()?.words).toBe('Data migration renamed to Renewal 2027')
  expect(redo()?.words).toBe('Renewal 2027 moved to Won')
  await redo()?.outcome
  expect(redo()).toBeNull()
  expect(await dealOnServer(id)).toEqual([{ name: 'Renewal 2027', amount: 250, stage_id: stageId('Won') }])

  undo()
  await editDeal(id, { amount: 300 })
  expect(redo()).toBeNull()
})

test.each([
  ['Incoming', 1],
  ['Lost', 1],
  ['Incoming', 2],
])(
  'the undo of a move from Won to %s restores the closing days of %i deals; a redo moves them again',
  async (stage, count) => {
    const ids = await Promise.all(Array.from({ length: count }, () => makeDeal(acme.tab)))
    const closedAt = (index: number) => `2026-10-0${index + 1}T22:59:59.999+00:00`
    for (const [index, id] of ids.entries()) {
      await acme.tab.moveDeal(acme.tab.device, id, stageId('Won'))
      await editDeal(id, { closed_at: closedAt(index) })
    }
    const closingTimes = async () => {
      const rows = await inDatabase<{ closed_at: string | null }>(
        'select to_json(closed_at) as closed_at from public.deals where id = any ($1) order by array_position($1, id)',
        ids,
      )
      return rows.map(({ closed_at }) => closed_at)
    }
    await acme.tab.updateRecords(acme.tab.device, 'deals', ids, { stage_id: stageId(stage) })
    if (stage === 'Incoming') expect(await closingTimes()).toEqual(ids.map(() => null))
    expect((await undo()?.outcome)?.status).toBe('saved')
    expect(await closingTimes()).toEqual(ids.map((_, index) => closedAt(index)))
    expect(ids.map((id) => deals().get(id)?.closed_at)).toEqual(ids.map((_, index) => closedAt(index)))
    expect((await redo()?.outcome)?.status).toBe('saved')
    expect(ids.map((id) => deals().get(id)?.stage_id)).toEqual(ids.map(() => stageId(stage)))
    expect((await undo()?.outcome)?.status).toBe('saved')
    expect(await closingTimes()).toEqual(ids.map((_, index) => closedAt(index)))
  },
)

test('a change of a selection is one undo step, which restores the value of each record', async () => {
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab), await makeDeal(acme.tab)]
  const [first = ''] = ids
  await editDeal(first, { stage_id: stageId('Qualified') })
  await acme.tab.updateRecords(acme.tab.device, 'deals', ids, { stage_id: stageId('Won') })
  const undone = undo()
  expect(undone?.words).toBe('3 deals moved to Won')
  await undone?.outcome
  const before = [stageId('Qualified'), stageId('Incoming'), stageId('Incoming')]
  expect(ids.map((id) => deals().serverRow(id)?.stage_id)).toEqual(before)
  await acme.tab.deleteRecords(acme.tab.device, 'deals', ids)
  expect(undo()?.words).toBe('3 deals deleted')
  expect(deals().size).toBe(3)
})

test('an edit that was undone by its toast is not undone again by the keyboard shortcut', async () => {
  const id = await makeDeal(acme.tab)
  await editDeal(id, { amount: 1 })
  await editDeal(id, { amount: 2 })
  const step = acme.tab.stepsOf(dataOf(acme.tab)).done.at(-1)
  acme.tab.undoStep(acme.tab.device, step)
  expect(deals().get(id)?.amount).toBe(1)
  expect(acme.tab.undoStep(acme.tab.device, step)).toBeNull()
  undo()
  expect(deals().get(id)?.amount).toBe(100)
})

test('a refused edit leaves no undo step', async () => {
  const id = await makeDeal(acme.tab)
  expect((await editDeal(id, { amount: -5 })).status).toBe('refused')
  expect(undo()?.words).toBe('Data migration created')
})

test('the undo skips a field that a colleague changed since, and says so; other fields of the edit are undone', async () => {
  const id = await makeDeal(acme.tab)
  await editDeal(id, { name: 'Mine', expected_close_date: '2027-01-01' })
  await writeAsColleague(`update public.deals set name = 'Theirs' where id = $1`, id)
  await acme.tab.requestPull(acme.tab.device)
  const undone = undo()
  expect(undone?.skipped).toEqual([{ rowId: id, words: 'The name of Theirs was changed since' }])
  await undone?.outcome
  expect(deals().serverRow(id)).toMatchObject({ name: 'Theirs', expected_close_date: null })

  await editDeal(id, { amount: 5 })
  await writeAsColleague('update public.deals set amount = 7 where id = $1', id)
  await acme.tab.requestPull(acme.tab.device)
  expect(undo()).toMatchObject({ opposite: null, skipped: [{ words: 'The amount of Theirs was changed since' }] })
  expect(deals().get(id)?.amount).toBe(7)
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('the undo skips a colleague’s change that this device has not received, also of a stage and of a selection', async () => {
  const [firstDeal, secondDeal, thirdDeal] = [
    await makeDeal(acme.tab),
    await makeDeal(acme.tab),
    await makeDeal(acme.tab),
  ]
  const notices: string[] = []
  acme.tab.onNotice(acme.tab.device, ({ text }) => notices.push(text))
  await acme.tab.moveDeal(acme.tab.device, firstDeal, stageId('Won'))
  await writeAsColleague('update public.deals set stage_id = $2 where id = $1', firstDeal, stageId('Lost'))
  await undo()?.outcome
  expect(await dealOnServer(firstDeal)).toMatchObject([{ stage_id: stageId('Lost') }])
  expect(notices).toEqual(['A colleague moved Data migration meanwhile. That stays'])

  await acme.tab.updateRecords(acme.tab.device, 'deals', [secondDeal, thirdDeal], { stage_id: stageId('Proposal') })
  await writeAsColleague('update public.deals set stage_id = $2 where id = $1', thirdDeal, stageId('Lost'))
  await undo()?.outcome
  expect(await dealOnServer(secondDeal)).toMatchObject([{ stage_id: stageId('Incoming') }])
  expect(await dealOnServer(thirdDeal)).toMatchObject([{ stage_id: stageId('Lost') }])

  const dealId = await makeDeal(acme.tab)
  await writeAsColleague(`update public.deals set name = 'Theirs' where id = $1`, dealId)
  await undo()?.outcome
  expect(await dealOnServer(dealId)).toMatchObject([{ name: 'Theirs' }])
  expect(deals().get(dealId)?.name).toBe('Theirs')
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('the undo of a selection skips and counts a record that a colleague changes at the same moment', async () => {
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab), await makeDeal(acme.tab), await makeDeal(acme.tab)]
  const [firstDeal = '', secondDeal = '', thirdDeal = '', fourthDeal = ''] = ids
  await acme.tab.updateRecords(acme.tab.device, 'deals', ids, { stage_id: stageId('Won') })
  await editDeal(fourthDeal, { stage_id: stageId('Incoming') })
  acme.tab.undoStep(acme.tab.device)
  await untilSent(acme.tab)
  const notices: string[] = []
  acme.tab.onNotice(acme.tab.device, ({ text }) => notices.push(text))
  acme.browser.network.judge = async (_, { method }) => {
    if (method !== 'PATCH') return 'pass' as const
    await writeAsColleague('update public.deals set stage_id = $2 where id = $1', firstDeal, stageId('Lost'))
    await writeAsColleague('update public.deals set stage_id = $2 where id = $1', secondDeal, stageId('Proposal'))
    await writeAsColleague('update public.deals set stage_id = $2 where id = $1', fourthDeal, stageId('Incoming'))
    return 'pass' as const
  }
  await undo()?.outcome
  const stages = () => ids.map((id) => deals().get(id)?.stage_id)
  expect(stages()).toEqual(['Lost', 'Proposal', 'Incoming', 'Incoming'].map(stageId))
  expect(await dealOnServer(firstDeal)).toMatchObject([{ stage_id: stageId('Lost') }])
  expect(await dealOnServer(thirdDeal)).toMatchObject([{ stage_id: stageId('Incoming') }])
  expect(notices).toEqual(['Colleagues moved 2 deals meanwhile. That stays'])
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('an offline undo waits behind its edit; if a colleague has changed the field meanwhile, it causes no conflict', async () => {
  const [untouched, changed] = [await makeDeal(acme.tab), await makeDeal(acme.tab)]
  goOffline(acme)
  for (const id of [untouched, changed]) {
    await editDeal(id, { amount: 250 })
    await acme.tab.moveDeal(acme.tab.device, id, stageId('Won'))
    undo()
    undo()
    expect(deals().get(id)).toMatchObject({ amount: 100, stage_id: stageId('Incoming') })
  }
  await writeAsColleague('update public.deals set stage_id = $2 where id = $1', changed, stageId('Lost'))
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(await dealOnServer(untouched)).toMatchObject([{ amount: 100, stage_id: stageId('Incoming') }])
  expect(await dealOnServer(changed)).toMatchObject([{ amount: 100 }])
  expect(acme.tab.queue(acme.tab.device).get().operations).toEqual([])
})

test('the undo of adding a known contact does not delete it, also offline', async () => {
  await inDatabase(
    `insert into public.contacts (brand_id, email, phone) values ($1, 'zoe@acme.test', '1')`,
    acme.brandId,
  )
  goOffline(acme)
  const contact = { email: 'Zoe@acme.test', first_name: 'Zoe', last_name: null, company: null }
  await acme.tab.addContact(acme.tab.device, contact)
  expect(undo()?.words).toBe('Zoe added')
  await goOnline(acme)
  await untilSent(acme.tab)
  const contacts = () => inDatabase('select phone from public.contacts where brand_id = $1', acme.brandId)
  expect(await contacts()).toEqual([{ phone: '1' }])

  await acme.tab.addContact(acme.tab.device, { ...contact, email: 'yan@acme.test' })
  await inDatabase(
    `insert into public.contacts (brand_id, email, phone) values ($1, 'uta@acme.test', '2')`,
    acme.brandId,
  )
  await acme.tab.addContact(acme.tab.device, { ...contact, email: 'uta@acme.test' })
  expect(undo()?.words).toBe('Zoe added')
  expect([...dataOf(acme.tab).tables.contacts.values()].map(({ email }) => email)).not.toContain('yan@acme.test')
})

/** Generates an action of a person: with one of the shown deals (`at`: its position), with all of them, or a new deal. */
const action = fc.oneof(
  fc.record({ kind: fc.constant('amount' as const), at: fc.nat(2), amount: fc.integer({ min: 0, max: 9 }) }),
  fc.record({
    kind: fc.constant('move' as const),
    at: fc.nat(2),
    stage: fc.constantFrom('Incoming', 'Qualified', 'Won'),
  }),
  fc.record({ kind: fc.constantFrom('move all' as const, 'delete' as const, 'create' as const), at: fc.nat(2) }),
)

async function act(chosen: typeof action extends fc.Arbitrary<infer Done> ? Done : never): Promise<void> {
  const shownIds = [...deals().values()].map(({ id }) => id).sort()
  const id = shownIds[chosen.at % shownIds.length]
  if (chosen.kind === 'create' || id === undefined) {
    const deal = { name: 'Made meanwhile', stage_id: stageId('Proposal'), amount: 1 }
    await acme.tab.createDeal(acme.tab.device, deal)
  } else if (chosen.kind === 'amount') await editDeal(id, { amount: chosen.amount })
  else if (chosen.kind === 'move') await acme.tab.moveDeal(acme.tab.device, id, stageId(chosen.stage))
  else if (chosen.kind === 'delete') await acme.tab.deleteRecords(acme.tab.device, 'deals', [id])
  else await acme.tab.updateRecords(acme.tab.device, 'deals', shownIds, { stage_id: stageId('Lost') })
}

test('undoing any sequence of actions and redoing it leads to the same state on this device and on the server', async () => {
  for (let count = 0; count < 3; count += 1) await makeDeal(acme.tab)
  const shownDeals = () =>
    [...deals().values()]
      .map(({ id, name, amount, stage_id }) => ({ id, name, amount, stage_id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  const onServer = () =>
    inDatabase(
      'select id, name, amount::float8, stage_id from public.deals where brand_id = $1 order by id::text collate "C"',
      acme.brandId,
    )
  const doAll = async (turn: typeof undo) => {
    for (let step = turn(); step; step = turn()) await step.outcome
  }
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 6 }), fc.boolean(), async (actions, offline) => {
      const steps = acme.tab.stepsOf(dataOf(acme.tab))
      Object.assign(steps, { done: [], undone: [] })
      const before = shownDeals()
      if (offline) goOffline(acme)
      for (const each of actions) await act(each)
      const after = shownDeals()
      await doAll(undo)
      expect(shownDeals()).toEqual(before)
      await doAll(redo)
      expect(shownDeals()).toEqual(after)
      await doAll(undo)
      expect(shownDeals()).toEqual(before)
      if (offline) await goOnline(acme)
      await untilSent(acme.tab)
      expect(await onServer()).toEqual(before)
    }),
    { numRuns: 12 },
  )
})

test('a company that is created with a contact offline is in the list at once and sent once, and Undo removes both', async () => {
  const { tab } = acme
  const tables = () => dataOf(tab).tables
  const companiesNamedHof = () => [...tables().companies.values()].filter(({ name }) => name === 'Hof')
  const onServer = () =>
    inDatabase(
      `select c.first_name, o.name from public.companies o left join public.contacts c on c.company_id = o.id
       where o.name = 'Hof' and o.brand_id = $1 order by 1`,
      acme.brandId,
    )
  const contact = { email: null, phone: '040 12345', last_name: null, company: 'Hof' }
  goOffline(acme)
  const uta = await tab.addContactWithCompany(tab.device, { ...contact, first_name: 'Uta' })
  expect(uta).toMatchObject({ isNew: true, outcome: { status: 'queued' } })
  // A name that differs only in case is the same company.
  const uwe = await tab.addContactWithCompany(tab.device, { ...contact, first_name: 'Uwe', company: ' hof ' })
  expect(companiesNamedHof()).toHaveLength(1)
  expect(tables().companies.isWaiting(companiesNamedHof()[0]?.id ?? '')).toBe(true)
  for (const { outcome } of [uta, uwe])
    expect(tables().contacts.get(outcome.status === 'refused' ? '' : outcome.id)?.company_id).toBe(
      companiesNamedHof()[0]?.id,
    )
  // In the form, too, contact and company are one undo step.
  const addUdo = () => tab.addContactWithCompany(tab.device, { ...contact, first_name: 'Udo', company: 'Moor' })
  await tab.runInStep(dataOf(tab), { operations: [] }, addUdo)
  const moorCount = () => [...tables().companies.values()].filter(({ name }) => name === 'Moor').length
  expect(moorCount()).toBe(1)
  undo()
  expect([moorCount(), [...tables().contacts.values()].filter((row) => row.first_name === 'Udo')]).toEqual([0, []])
  await goOnline(acme)
  await untilSent(tab)
  expect(await onServer()).toEqual([
    { first_name: 'Uta', name: 'Hof' },
    { first_name: 'Uwe', name: 'Hof' },
  ])
  expect(companiesNamedHof()).toHaveLength(1)
  await inDatabase(`delete from public.contacts where phone = '040 12345' and brand_id = $1`, acme.brandId)
  await inDatabase(`delete from public.companies where name = 'Hof' and brand_id = $1`, acme.brandId)
})

test('a company that is created with a contact on a slow network is in the list at once, also after a reload, and once on the server', async () => {
  const { tab, browser } = acme
  const companiesNamedRab = (at = tab) =>
    [...dataOf(at).tables.companies.values()].filter(({ name }) => /^rab$/i.test(name))
  const contactIn = (id: string, at = tab) => dataOf(at).tables.contacts.get(id)
  const contact = { email: 'ria@rab.example', first_name: 'Ria', last_name: null, company: 'Rab' }
  // No request gets a response. The app notices this only after some seconds.
  browser.network.offline = true
  const { outcome } = await tab.addContactWithCompany(tab.device, contact)
  const id = outcome.status === 'queued' ? outcome.id : expect.fail('not queued')
  const companyId = companiesNamedRab()[0]?.id ?? expect.fail('no company')
  expect(contactIn(id)?.company_id).toBe(companyId)
  expect(tab.companyNamed(dataOf(tab), 'rab')?.id).toBe(companyId)
  const reloaded = await browser.openTab()
  await vi.waitFor(() => expect(contactIn(id, reloaded)?.company_id).toBe(companyId), waitOptions)
  expect(companiesNamedRab(reloaded)).toHaveLength(1)
  // A colleague adds a company of this name meanwhile. The contact then belongs to the colleague's company.
  await writeAsColleague(`insert into public.companies (brand_id, name) select $1, 'RAB' from colleague`, acme.brandId)
  await goOnline(acme)
  await untilSent(tab)
  const onServer = `select o.name, c.first_name from public.companies o left join public.contacts c on c.company_id = o.id
    where lower(o.name) = 'rab' and o.brand_id = $1`
  expect(await inDatabase(onServer, acme.brandId)).toEqual([{ name: 'RAB', first_name: 'Ria' }])
  await vi.waitFor(() => expect(companiesNamedRab().map(({ name }) => name)).toEqual(['RAB']), waitOptions)
  await inDatabase(`delete from public.contacts where email = 'ria@rab.example' and brand_id = $1`, acme.brandId)
  await inDatabase(`delete from public.companies where name = 'RAB' and brand_id = $1`, acme.brandId)
})

test('a company created offline whose name a colleague takes meanwhile becomes the colleague’s company, with its deal', async () => {
  const { tab } = acme
  const companies = () =>
    inDatabase(
      `select o.name, o.domain, o.phone, d.name as deal from public.companies o left join public.deals d on d.company_id = o.id
       where o.brand_id = $1 and lower(o.name) like 'nordhafen%' order by 1`,
      acme.brandId,
    )
  const noFields = { domain: null, website: null, notes: null }
  const id = await makeDeal(tab)
  const notices: string[] = []
  const stop = tab.onNotice(tab.device, ({ kind, text }) => notices.push(`${kind}: ${text}`))
  goOffline(acme)
  const createdCompany = await tab.addCompany(tab.device, { name: 'Nordhafen', phone: '040 1', ...noFields })
  const company = createdCompany.status === 'queued' ? createdCompany.id : expect.fail('not queued')
  await editDeal(id, { company_id: company, name: 'Quay' })
  const addition = await tab.addCompany(tab.device, { name: 'Nordhafen Lager', phone: null, ...noFields })
  await writeAsColleague(
    `insert into public.companies (brand_id, name, domain, phone) select $1, 'NORDHAFEN', 'nordhafen.example', null from colleague`,
    acme.brandId,
  )
  await goOnline(acme)
  await untilSent(tab)
  const expectedCompany = { name: 'NORDHAFEN', domain: 'nordhafen.example', phone: '040 1', deal: 'Quay' }
  const lager = { name: 'Nordhafen Lager', domain: null, phone: null, deal: null }
  expect(await companies()).toEqual([expectedCompany, lager])
  const companiesOnDevice = [...dataOf(tab).tables.companies.values()].filter(({ name }) => /^nordhafen$/i.test(name))
  expect(companiesOnDevice).toHaveLength(1)
  expect(deals().get(id)?.company_id).toBe(companiesOnDevice[0]?.id)
  expect(addition).toMatchObject({ status: 'queued' })
  expect(notices).toEqual(['merged: NORDHAFEN already existed'])
  stop()

  // Companies of the same name are not merged if the device already has the first one when it adds the second.
  goOffline(acme)
  await tab.addCompany(tab.device, { name: 'nordhafen lager', phone: null, ...noFields })
  await goOnline(acme)
  await untilSent(tab)
  expect(await companies()).toHaveLength(3)
  await inDatabase('delete from public.deals where id = $1', id)
  await inDatabase(`delete from public.companies where brand_id = $1 and lower(name) like 'nordhafen%'`, acme.brandId)
})
