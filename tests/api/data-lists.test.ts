import { expect, test, vi } from 'vitest'
import { type Acme, goOnline, dataOf, goOffline, makeDeal, stageOf, untilSent } from '../harness/acme.ts'
import { acme, replaceDevice, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

/** Creates 50 companies and `count` contacts. Every third contact is Ana's, every fourth has no first name, and four of five have a company. */
async function fillContacts(count: number): Promise<void> {
  await inDatabase(
    `insert into public.companies (brand_id, name) select $1, 'Firm ' || lpad(n::text, 2, '0') from generate_series(1, 50) n`,
    acme.brandId,
  )
  await inDatabase(
    `insert into public.contacts (brand_id, email, first_name, last_name, created_at, owner_id, company_id)
     select $1, 'p' || lpad((n * 7919 % 100003)::text, 6, '0') || '@big.test', case when n % 4 > 0 then 'F' || lpad((n * 31 % 977)::text, 3, '0') end,
       'L' || n, now() - n * interval '1 second', case when n % 3 = 0 then $3::uuid end,
       case when n % 5 > 0 then (select c.id from public.companies c where c.brand_id = $1 order by c.name offset n % 50 limit 1) end
     from generate_series(1, $2::int) n`,
    acme.brandId,
    count,
    acme.userId,
  )
}

/** Replaces the device by a new one. Resolves when the new device has all contacts, or keeps only some of them (a windowed table). */
async function newDevice(): Promise<void> {
  await replaceDevice()
  const isThere = () => {
    const contacts = dataOf(acme.tab).state.get().tables.contacts
    return contacts?.mode === 'windowed' || contacts?.complete === true
  }
  await vi.waitFor(() => expect(isThere()).toBe(true), 10_000)
}

type Options = Parameters<Acme['tab']['useContacts']>[1]

/** Returns the total and the first `count` entries of a list of contacts, once they are loaded. */
async function firstEntries(search: string, options: Options, count: number) {
  const list = acme.tab.contactList(dataOf(acme.tab), acme.tab.listKey(search, options ?? {}))
  const stop = list.subscribe(() => {})
  await vi.waitFor(() => expect(list.read()).toMatchObject({ ready: true, searching: false }), 5000)
  const readEntries = () => {
    const { total, at, want } = list.read()
    if (total > 0) want(0, Math.min(count, total) - 1)
    return Array.from({ length: Math.min(count, total) }, (_, index) => at(index))
  }
  await vi.waitFor(() => expect(readEntries()).not.toContain(undefined), 5000)
  const entries = readEntries()
  stop()
  return { total: list.read().total, entries }
}

/** Returns the e-mail addresses of the first `count` contacts of a list, according to SQL. */
async function expectedEmails(where: string, order: string, count: number) {
  const rows = await inDatabase<{ email: string }>(
    `select c.email from public.contacts c left join public.companies o on o.brand_id = c.brand_id and o.id = c.company_id
     where c.brand_id = $1 and ${where} order by ${order} limit ${count}`,
    acme.brandId,
  )
  return rows.map(({ email }) => email)
}

async function expectOrders(): Promise<void> {
  const isOwnedByAna = `c.owner_id = '${acme.userId}'`
  const orders = {
    newest: 'c.created_at desc, c.id',
    name: 'c.first_name collate private.by_name, c.last_name collate private.by_name, c.created_at desc, c.id',
    email: 'c.email_norm collate private.by_name, c.created_at desc, c.id',
    company: 'o.name collate private.by_name, c.created_at desc, c.id',
  } as const
  for (const [sort, order] of Object.entries(orders) as [keyof typeof orders, string][]) {
    for (const isMine of [false, true]) {
      for (const search of ['', 'f0']) {
        const where = [isMine ? isOwnedByAna : 'true', search ? `(c.first_name ilike '%f0%')` : 'true'].join(' and ')
        const list = await firstEntries(search, { sort, mine: isMine }, 30)
        const [{ count } = { count: 0 }] = await inDatabase<{ count: number }>(
          `select count(*)::int as count from public.contacts c where c.brand_id = $1 and ${where}`,
          acme.brandId,
        )
        const label = `${sort} ${isMine} ${search}`
        expect({ label, total: list.total }).toEqual({ label, total: count })
        expect({ label, rows: list.entries.map((entry) => entry?.contact.email) }).toEqual({
          label,
          rows: await expectedEmails(where, order, 30),
        })
      }
    }
  }
}

test('contacts of a complete table equal those of SQL in each order, mine or all, with and without a search', async () => {
  await fillContacts(600)
  await newDevice()
  expect(dataOf(acme.tab).state.get().tables.contacts?.mode).toBe('complete')
  await expectOrders()
})

/** Exports contacts, and stops after the given number of pages. Returns their e-mail addresses, and whether the export is incomplete. */
async function exportContacts(query: object, pages = Number.POSITIVE_INFINITY) {
  const stop = new AbortController()
  const emails: unknown[] = []
  let isIncomplete = false
  let count = 0
  for await (const page of acme.tab.exportPages(acme.tab.device, { table: 'contacts', ...query }, stop)) {
    emails.push(...page.rows.map((row) => Reflect.get(row, 'email')))
    isIncomplete = page.isIncomplete
    count += 1
    if (count === pages) stop.abort()
  }
  return { emails, isIncomplete }
}

test('contacts of a windowed table equal those of SQL too, and an export reads them to the end', {
  tags: ['long'],
}, async () => {
  await fillContacts(10_200)
  await newDevice()
  expect(dataOf(acme.tab).state.get().tables.contacts?.mode).toBe('windowed')
  await expectOrders()

  const order = 'c.first_name collate private.by_name, c.last_name collate private.by_name, c.created_at desc, c.id'
  const allEmails = await expectedEmails('true', order, 20_000)
  expect(allEmails.length).toBeGreaterThan(10_000)
  expect(await exportContacts({ order: 'name' })).toEqual({ emails: allEmails, isIncomplete: false })
  const emailsOfMine = await expectedEmails(
    `c.owner_id = '${acme.userId}' and c.first_name ilike '%f0%'`,
    order,
    20_000,
  )
  expect(await exportContacts({ order: 'name', search: 'f0', mine: true })).toEqual({
    emails: emailsOfMine,
    isIncomplete: false,
  })
  expect((await exportContacts({}, 2)).emails).toHaveLength(1000)
  // Waiting changes are exported as the screen shows them.
  const { tab, browser } = acme
  browser.network.judge = (url, { method }) =>
    method === 'DELETE' || method === 'PATCH' || url.endsWith('/rpc/upsert_contact') ? 'refuse' : 'pass'
  const [deletedContact, renamedContact] = [...dataOf(tab).tables.contacts.values()]
  void tab.deleteRecords(tab.device, 'contacts', [deletedContact?.id ?? ''])
  void tab.updateRecord(tab.device, 'contacts', renamedContact?.id ?? '', { email: 'renamed@big.test' })
  const noFields = { first_name: null, last_name: null, phone: null, title: null, company: null }
  void tab.addContact(tab.device, { ...noFields, email: 'new@big.test' })
  await vi.waitFor(() => expect(tab.queue(tab.device).get().operations).toHaveLength(3))
  tab.reachable(tab.device).set(true)
  const { emails } = await exportContacts({ order: 'name' })
  expect(emails).toHaveLength(allEmails.length)
  expect(emails.filter((email) => email === 'new@big.test')).toHaveLength(1)
  expect(emails).not.toContain(deletedContact?.email)
  expect(emails).toContain('renamed@big.test')
  browser.network.judge = () => 'pass'
  await goOnline(acme)
  await untilSent(tab)
  goOffline(acme)
  const exportedOffline = await exportContacts({})
  expect(exportedOffline.isIncomplete).toBe(true)
  expect(exportedOffline.emails).toHaveLength(dataOf(acme.tab).tables.contacts.size)
  await goOnline(acme)
})

test('with complete deals and windowed contacts, a search of the board finds a deal by its contact, also a new deal', async () => {
  await fillContacts(10_200)
  const addDeal = (name: string) =>
    inDatabase(
      `insert into public.deals (brand_id, name, stage_id, contact_id)
       select $1, $2, $3, c.id from public.contacts c where c.brand_id = $1 and c.last_name = 'L10077'`,
      acme.brandId,
      name,
      stageOf(acme.tab, 'Incoming').id,
    )
  await addDeal('Roof')
  await newDevice()
  const { tab } = acme
  const data = dataOf(tab)
  await vi.waitFor(() => expect(data.state.get().tables.deals?.complete).toBe(true), 10_000)
  // The export of selected deals has the names of contacts that are not on this device.
  const selection = { table: 'deals', ids: [...data.tables.deals.values()].map(({ id }) => id) } as const
  for await (const { rows, nameOf } of tab.exportPages(tab.device, selection, new AbortController()))
    expect(rows.map((row) => nameOf('contacts', row))).toEqual([expect.stringMatching(/ L10077$/)])
  expect([...data.tables.contacts.values()].some(({ last_name }) => last_name === 'L10077')).toBe(false)
  const board = tab.boardView(data, { search: 'l10077' })
  const stop = board.subscribe(() => {})
  const firstColumn = () => {
    const [column] = board.read().columns
    return { count: column?.count, name: column?.at(0)?.deal.name, contact: column?.at(0)?.contactName }
  }
  const contact = expect.stringContaining('L10077')
  await vi.waitFor(() => expect(firstColumn()).toEqual({ count: 1, name: 'Roof', contact }), 5000)
  await addDeal('Gutter')
  await tab.requestPull(tab.device)
  await vi.waitFor(() => expect(firstColumn()).toEqual({ count: 2, name: 'Gutter', contact }), 5000)
  stop()
})

test("the board filtered by an owner, or by 'No owner', has the cards, counts and totals of those deals only", async () => {
  const { tab, brandId, userId } = acme
  await makeDeal(tab, { amount: 100 })
  await makeDeal(tab, { amount: 7, owner_id: null })
  await inDatabase(
    `insert into public.deals (brand_id, name, amount, amount_currency, stage_id, owner_id) values ($1, 'Yen', 5, 'JPY', $2, $3)`,
    brandId,
    stageOf(tab, 'Incoming').id,
    userId,
  )
  await tab.requestPull(tab.device)
  const [column] = tab.boardView(dataOf(tab), { owner: acme.userId }).read().columns
  expect(column).toMatchObject({
    count: 2,
    totals: [
      { currency: 'GBP', amount: 100 },
      { currency: 'JPY', amount: 5 },
    ],
  })
  expect(tab.boardView(dataOf(tab), {}).read().columns[0]?.count).toBe(3)
  expect(tab.boardView(dataOf(tab), { search: 'yen', owner: acme.userId }).read().columns[0]).toMatchObject({
    count: 1,
    totals: [{ currency: 'JPY', amount: 5 }],
  })
  expect(tab.boardView(dataOf(tab), { owner: null }).read().columns[0]).toMatchObject({
    count: 1,
    totals: [{ currency: 'GBP', amount: 7 }],
  })
})

test('a person who creates deals, quick deals, contacts, companies and tasks owns them, on the screen and on the server', async () => {
  const { tab, userId } = acme
  const ids = {
    deals: await makeDeal(tab),
    quick: (await tab.quickCreateDeal(tab.device, stageOf(tab, 'Incoming'))) as { id: string },
    contacts: (await tab.addContact(tab.device, {
      email: 'zoe@acme.test',
      first_name: null,
      last_name: null,
      company: null,
    })) as {
      id: string
    },
    companies: (await tab.addCompany(tab.device, {
      name: 'Borealis',
      domain: null,
      phone: null,
      website: null,
      notes: null,
    })) as {
      id: string
    },
    tasks: (await tab.createTask(tab.device, {
      title: 'Call',
      due_at: null,
      priority: 'normal',
      contact_id: null,
      deal_id: null,
    })) as { id: string },
  }
  const { deals, contacts, companies, tasks } = dataOf(tab).tables
  expect(deals.get(ids.deals)).toMatchObject({ owner_id: userId, version: 1 })
  expect(deals.get(ids.quick.id)).toMatchObject({ owner_id: userId, version: 1 })
  expect(contacts.get(ids.contacts.id)).toMatchObject({ owner_id: userId, version: 1 })
  expect(companies.get(ids.companies.id)).toMatchObject({ owner_id: userId, version: 1 })
  expect(tasks.get(ids.tasks.id)).toMatchObject({ assignee_id: userId, version: 1 })
})

test('imported contacts have no owner', async () => {
  const rows = [{ row: 2, email: 'new@acme.test', first_name: null, last_name: null, company: null }]
  await inDatabase(`select set_config('request.jwt.claims', $1, false)`, JSON.stringify({ role: 'service_role' }))
  await inDatabase(`select public.import_contacts($1, gen_random_uuid(), $2)`, acme.brandId, JSON.stringify(rows))
  expect(await inDatabase('select owner_id from public.contacts where brand_id = $1', acme.brandId)).toEqual([
    { owner_id: null },
  ])
})

test('companies by name, my companies, and my tasks by date are in the right order', async () => {
  const { tab } = acme
  const details = { domain: null, phone: null, website: null, notes: null }
  for (const name of ['zeta', 'Ångström', 'Alpha 10', 'Alpha 9']) await tab.addCompany(tab.device, { name, ...details })
  await tab.addCompany(tab.device, { name: 'Beta', ...details, owner_id: null })
  const companies = (options: { mine?: boolean; sort?: 'newest' | 'name' }) => {
    const list = tab.companyList(dataOf(tab), tab.listKey('', options)).read()
    return Array.from({ length: list.total }, (_, index) => list.at(index)?.company.name)
  }
  expect(companies({ sort: 'name' })).toEqual(['Alpha 9', 'Alpha 10', 'Ångström', 'Beta', 'zeta'])
  expect(companies({ sort: 'name', mine: true })).toEqual(['Alpha 9', 'Alpha 10', 'Ångström', 'zeta'])
  expect(companies({ mine: true }).at(0)).toBe('Alpha 9')
  const task = { priority: 'normal', contact_id: null, deal_id: null } as const
  await tab.createTask(tab.device, { ...task, title: 'Second', due_at: '2031-05-07T09:00:00Z' })
  await tab.createTask(tab.device, { ...task, title: 'First', due_at: '2031-05-06T09:00:00Z' })
  await tab.createTask(tab.device, { ...task, title: 'Nobody’s', due_at: null, assignee_id: null })
  const tasks = (options: { mine?: boolean }) => {
    const list = tab.openTasks(dataOf(tab), tab.listKey('', options)).read()
    return Array.from({ length: list.total }, (_, index) => list.at(index)?.task.title)
  }
  expect(tasks({})).toEqual(['First', 'Second', 'Nobody’s'])
  expect(tasks({ mine: true })).toEqual(['First', 'Second'])
})
