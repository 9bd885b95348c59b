import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { previewImport } from '#web/data/import-changes.ts'
import { runningWork } from '#web/lib/running-work.ts'
import { dataOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

/** Loses the response of the second request to each of these functions. */
function loseResponses(...names: string[]) {
  const requestCounts = new Map<string, number>()
  acme.browser.network.judge = (url) => {
    const name = names.find((each) => url.endsWith(`/rpc/${each}`))
    if (!name) return 'pass'
    requestCounts.set(name, (requestCounts.get(name) ?? 0) + 1)
    return requestCounts.get(name) === 2 ? 'drop-answer' : 'pass'
  }
}

const addContacts = (count: number) =>
  inDatabase(
    `insert into public.contacts (brand_id, email, first_name, created_at)
     select $1, 'p' || n || '@bulk.test', 'Bulk', now() - n * interval '1 second' from generate_series(1, $2::int) n`,
    acme.brandId,
    count,
  )
const countOf = async (condition: string) => {
  const [row] = await inDatabase<{ n: number }>(
    `select count(*)::int as n from public.contacts where brand_id = $1 and ${condition}`,
    acme.brandId,
  )
  return row?.n
}
const progressOptions = () => {
  const steps: number[] = []
  return { steps, signal: new AbortController().signal, onProgress: (count: number) => steps.push(count) }
}

test('if responses are lost, the changes of all matching records (a new owner, then a delete) still report the right counts, and Undo restores every record', {
  tags: ['long'],
}, async () => {
  const { tab } = acme
  await addContacts(520)
  await inDatabase(`insert into public.contacts (brand_id, email) values ($1, 'other@bulk-not.example')`, acme.brandId)
  const matching = { table: 'contacts', search: 'bulk.test', mine: false } as const
  loseResponses('change_matching', 'read_queries')
  const options = progressOptions()
  const ownerChange = await tab.changeMatching(tab.device, matching, { owner_id: acme.userId }, options)
  expect([
    ownerChange.ids.length,
    ownerChange.replaced.every(({ owner_id: owner }) => owner === null),
    ownerChange.failure,
  ]).toEqual([520, true, null])
  expect(options.steps).toEqual([500, 520])
  expect(await countOf(`owner_id = '${acme.userId}'`)).toBe(520)

  // Deletes all records of the list 'Mine'. Each batch removes its records from this list.
  loseResponses('change_matching', 'read_queries')
  const { ids } = await tab.changeMatching(tab.device, { ...matching, mine: true }, { delete: true }, progressOptions())
  expect([ids.length, new Set(ids).size, await countOf('true')]).toEqual([520, 520, 1])
  await vi.waitFor(() => expect(dataOf(tab).tables.contacts.size).toBe(1), waitOptions)
  acme.browser.network.judge = () => 'pass'
  void tab.restoreRecords(tab.device, 'contacts', ids)
  await vi.waitFor(async () => expect(await countOf(`owner_id = '${acme.userId}'`)).toBe(520), waitOptions)
  await vi.waitFor(() => expect(dataOf(tab).tables.contacts.size).toBe(521), waitOptions)
})

test('a bulk change stops between two batches when the user stops it, and ends with the server’s message when it is refused', async () => {
  const { tab } = acme
  await addContacts(1_200)
  const stopper = new AbortController()
  const matching = { table: 'contacts', search: '', mine: false } as const
  const stopped = await tab.changeMatching(
    tab.device,
    matching,
    { delete: true },
    {
      signal: stopper.signal,
      onProgress: () => {
        expect(runningWork.size).toBe(1)
        stopper.abort()
      },
    },
  )
  expect(runningWork.size).toBe(0)
  expect([stopped.ids.length, stopped.failure]).toEqual([500, null])
  expect(await countOf('true')).toBe(700)
  const unknownOwner = '11111111-1111-4111-8111-111111111111'
  expect(await tab.changeMatching(tab.device, matching, { owner_id: unknownOwner }, progressOptions())).toMatchObject({
    ids: [],
    failure: 'The owner is not a member of this brand.',
  })
})

test('a new owner for all matching records is one undo step: each record gets its previous owner back, unless a colleague has changed the owner since', async () => {
  const { tab } = acme
  await addContacts(230)
  const giveEveryFourth = `update public.contacts set owner_id = $2 where brand_id = $1 and (split_part(substr(email, 2), '@', 1))::int % 4 = 0`
  await inDatabase(giveEveryFourth, acme.brandId, acme.userId)
  await tab.requestPull(tab.device)
  const matching = { table: 'contacts', search: 'bulk.test', mine: false } as const
  const notices: string[] = []
  tab.onNotice(tab.device, ({ text }) => notices.push(text))
  const change = async (what: Parameters<typeof tab.changeMatching>[2]) =>
    tab.recordMatchingChange(
      tab.device,
      'contacts',
      await tab.changeMatching(tab.device, matching, what, progressOptions()),
    )
  const ownedCount = () => countOf(`owner_id = '${acme.userId}'`)

  // The change is undone and redone before this device has received it.
  await change({ owner_id: null })
  expect(await ownedCount()).toBe(0)
  const undone = tab.undoStep(tab.device)
  expect(undone?.words).toBe('57 contacts given to nobody')
  expect(await undone?.outcome).toMatchObject({ status: 'saved' })
  expect(await ownedCount()).toBe(57)
  await tab.redoStep(tab.device)?.outcome
  expect(await ownedCount()).toBe(0)
  await tab.undoStep(tab.device)?.outcome
  expect(await ownedCount()).toBe(57)

  const bo = randomUUID()
  await inDatabase(`insert into auth.users (id, email) values ($1, $2)`, bo, `${bo}@acme.test`)
  await inDatabase(
    `insert into memberships (brand_id, user_id, role, display_name) values ($1, $2, 'member', 'Bo')`,
    acme.brandId,
    bo,
  )
  await change({ owner_id: bo })
  await inDatabase(
    `update public.contacts set owner_id = $2 where brand_id = $1 and email in ('p1@bulk.test', 'p2@bulk.test', 'p4@bulk.test')`,
    acme.brandId,
    acme.userId,
  )
  expect(await tab.undoStep(tab.device)?.outcome).toMatchObject({ status: 'saved' })
  expect([await ownedCount(), await countOf('owner_id is null')]).toEqual([59, 171])
  expect(notices).toEqual(['Colleagues changed 2 contacts meanwhile. That stays'])

  await change({ delete: true })
  expect(await countOf('true')).toBe(0)
  const undo = tab.undoStep(tab.device)
  expect(undo?.words).toBe('230 contacts deleted')
  await undo?.outcome
  // If the server is slow, the outcome is 'queued', and the response comes later.
  await vi.waitFor(async () => expect(await countOf('true')).toBe(230), waitOptions)
  await vi.waitFor(() => expect(dataOf(tab).tables.contacts.size).toBe(230), waitOptions)
})

test('the undo of an import deletes the records that the import added, except records changed since, also if responses are lost', {
  tags: ['long'],
}, async () => {
  const { tab } = acme
  loseResponses('import_contacts', 'undo_import')
  const contactImport = tab.startContactImport(tab.device, {
    fileName: 'fair.csv',
    signal: new AbortController().signal,
    onOutcomes: () => {},
  })
  const noName = { first_name: null, last_name: null }
  const rows = Array.from({ length: 1_100 }, (_, n) =>
    n % 2
      ? { row: n + 2, email: `p${n}@import.test`, ...noName, company: 'Fair Ltd' }
      : { row: n + 2, email: null, phone: '0100', ...noName, company: null },
  )
  for (let start = 0; start < rows.length; start += contactImport.chunkSize)
    await contactImport.push(rows.slice(start, start + contactImport.chunkSize))
  await contactImport.finish()
  // A chunk that arrived twice has added no contact twice, with or without an e-mail address.
  expect(await countOf('true')).toBe(1_100)
  await inDatabase(
    `update public.contacts set title = 'Boss' where brand_id = $1 and email = 'p7@import.test'`,
    acme.brandId,
  )
  await tab.requestPull(tab.device)
  expect(dataOf(tab).tables.contacts.size).toBe(1_100)

  await tab.pastImports(tab.device).reload()
  expect(tab.pastImports(tab.device).answer.get().value).toMatchObject([
    { id: contactImport.importId, file_name: 'fair.csv', created: 1_100, undone_at: null, started_by: acme.userId },
  ])
  expect(await tab.planUndo(tab.device, contactImport.importId)).toMatchObject({ removable: 1_099, kept: 1 })
  // The company stays, because the contact that stays uses it.
  expect(await tab.undoImport(tab.device, contactImport.importId)).toEqual({
    done: true,
    contacts: 1_099,
    companies: 0,
    restored: 0,
    kept: 1,
    changed: 0,
  })
  await vi.waitFor(() => expect(dataOf(tab).tables.contacts.size).toBe(1), waitOptions)
  await vi.waitFor(
    () => expect(tab.pastImports(tab.device).answer.get().value?.[0]).toMatchObject({ deleted_contacts: 1_099 }),
    waitOptions,
  )
})

test('an import of long texts sends requests that the server accepts, and a row that is too long for one has the reason', async () => {
  const { tab } = acme
  const rowOf = (row: number, title: string) => ({
    row,
    email: `long-${row}@import.test`,
    first_name: null,
    last_name: null,
    title,
    company: null,
    // The server ignores other values. 3.2 kB of UTF-8.
    ignored: 'ü'.repeat(1_600),
  })
  const rows = Array.from({ length: 500 }, (_, n) => rowOf(n + 2, `Title ${n}`))
  rows[250] = rowOf(252, 'x'.repeat(800_000))
  const outcomes: { row: number; status: string; reason: string | null }[] = []
  const contactImport = tab.startContactImport(tab.device, {
    signal: new AbortController().signal,
    onOutcomes: (some) => outcomes.push(...some),
  })
  await contactImport.push(rows)
  expect(await contactImport.finish()).toBe(true)
  expect(outcomes.map(({ row }) => row)).toEqual(rows.map(({ row }) => row))
  expect(outcomes.filter(({ status }) => status !== 'created')).toEqual([
    { row: 252, status: 'error', id: null, reason: 'The row is longer than 500 kB' },
  ])
  // Before an import, as many of the first rows are compared as one request can have.
  const { comparedRows } = await previewImport(tab.device, rows, new AbortController().signal)
  expect(comparedRows).toBeGreaterThan(200)
  expect(comparedRows).toBeLessThan(250)
  // A row that is too long to be imported does not prevent the comparison of the others.
  const changedRows = rows.slice(250).map((row) => ({ ...row, title: `New ${row.title}` }))
  const preview = await previewImport(tab.device, changedRows, new AbortController().signal)
  expect(preview).toMatchObject({ count: preview.comparedRows, tooLongRows: [252] })
  expect(preview.comparedRows).toBeGreaterThan(200)
})

test('the undo of a new owner also changes records that this device has not fetched yet', async () => {
  const { tab } = acme
  acme.browser.network.judge = (url) => (url.endsWith('/rpc/pull') ? 'refuse' : 'pass')
  await addContacts(3)
  const matching = { table: 'contacts', search: 'bulk.test', mine: false } as const
  const result = await tab.changeMatching(tab.device, matching, { owner_id: acme.userId }, progressOptions())
  tab.recordMatchingChange(tab.device, 'contacts', result)
  expect(dataOf(tab).tables.contacts.size).toBe(0)
  expect(await countOf(`owner_id = '${acme.userId}'`)).toBe(3)
  const undone = tab.undoStep(tab.device)
  await undone?.outcome
  await untilSent(tab)
  expect([undone?.skipped, await countOf('owner_id is null')]).toEqual([[], 3])
  acme.browser.network.judge = () => 'pass'
  await tab.requestPull(tab.device)
})

test('all matching records get a value in a field; the undo restores each previous value, unless a colleague changed it since', async () => {
  const { tab } = acme
  await addContacts(520)
  const [field] = await inDatabase<{ id: string }>(
    `insert into public.custom_fields (brand_id, "table", label, type) values ($1, 'contacts', 'Region', 'text') returning id`,
    acme.brandId,
  )
  const region = field?.id ?? ''
  // 111 of the contacts (p1, p10 to p19, p100 to p199) have one of seven values; the others have none.
  const writeCustom = (values: string, which: string) =>
    inDatabase(`update public.contacts set custom = ${values} where brand_id = $1 and ${which}`, acme.brandId)
  await writeCustom(
    `jsonb_build_object('${region}', 'R' || length(email) || right(split_part(email, '@', 1), 1)::int % 3)`,
    `email like 'p1%@bulk.test'`,
  )
  const regionByEmail = async () =>
    Object.fromEntries(
      (
        await inDatabase<{ email: string; value: string | null }>(
          `select email, custom ->> '${region}' as value from public.contacts where brand_id = $1`,
          acme.brandId,
        )
      ).map(({ email, value }) => [email, value]),
    )
  await tab.requestPull(tab.device)
  const before = await regionByEmail()
  const matching = { table: 'contacts', search: 'bulk.test', mine: false } as const
  const notices: string[] = []
  tab.onNotice(tab.device, ({ text }) => notices.push(text))
  loseResponses('change_matching', 'read_queries')
  const steps = progressOptions()
  const result = await tab.changeMatching(tab.device, matching, { custom: { [region]: 'North' } }, steps)
  acme.browser.network.judge = () => 'pass'
  expect([result.failure, result.ids.length, new Set(result.ids).size, steps.steps]).toEqual([
    null,
    520,
    520,
    [500, 520],
  ])
  expect(new Set(Object.values(await regionByEmail()))).toEqual(new Set(['North']))
  tab.recordMatchingChange(tab.device, 'contacts', result)
  // A contact that has the value already is skipped.
  expect(
    (await tab.changeMatching(tab.device, matching, { custom: { [region]: 'North' } }, progressOptions())).ids,
  ).toEqual([])

  const undone = tab.undoStep(tab.device)
  expect(undone?.words).toBe('Region of 520 contacts changed')
  await undone?.outcome
  await untilSent(tab)
  expect(await regionByEmail()).toEqual(before)
  await tab.redoStep(tab.device)?.outcome
  await untilSent(tab)
  expect(new Set(Object.values(await regionByEmail()))).toEqual(new Set(['North']))

  await writeCustom(`jsonb_build_object('${region}', 'South')`, `email in ('p1@bulk.test', 'p2@bulk.test')`)
  await tab.undoStep(tab.device)?.outcome
  await untilSent(tab)
  expect(await regionByEmail()).toEqual({ ...before, 'p1@bulk.test': 'South', 'p2@bulk.test': 'South' })
  // Contacts with the same previous value are written together. The previous values of p1 and p2 differ, so there are two notices.
  expect(notices).toEqual(Array.from({ length: 2 }, () => 'A colleague changed Bulk meanwhile. That stays'))

  const refusedChange = await tab.changeMatching(tab.device, matching, { custom: { [region]: 7 } }, progressOptions())
  expect(refusedChange).toMatchObject({
    ids: [],
    failure: 'The field "Region" takes a text of at most 500 characters.',
  })
}, 60_000)

test('all records that match the conditions of a list get a tag and keep their other tags', async () => {
  const { tab } = acme
  await addContacts(520)
  const tags = await inDatabase<{ id: string }>(
    `insert into public.tags (brand_id, name) values ($1, 'VIP'), ($1, 'Press') returning id`,
    acme.brandId,
  )
  const [vip, press] = tags.map(({ id }) => id)
  if (!vip || !press) throw new Error('no tags')
  await inDatabase(
    `update public.contacts set tag_ids = array[$2]::uuid[] where brand_id = $1 and email like 'p1%@bulk.test'`,
    acme.brandId,
    press,
  )
  const change = { add_tags: [vip], remove_tags: [] }
  const withPressTag = { table: 'contacts', search: '', mine: false, where: { tag_ids: { has: [press] } } } as const
  const firstChange = await tab.changeMatching(tab.device, withPressTag, change, progressOptions())
  expect([
    firstChange.ids.length,
    firstChange.failure,
    new Set(firstChange.replaced.map(({ tag_ids: ids }) => String(ids))),
  ]).toEqual([111, null, new Set([press])])
  expect(await countOf(`tag_ids = (select array_agg(id order by id) from public.tags where brand_id = $1)`)).toBe(111)
  // Contacts that have the tag already are not written again.
  const secondChange = await tab.changeMatching(
    tab.device,
    { ...withPressTag, search: 'bulk.test', where: {} },
    change,
    progressOptions(),
  )
  expect([secondChange.ids.length, secondChange.failure]).toEqual([409, null])
  expect(await countOf(`tag_ids @> array['${vip}']::uuid[]`)).toBe(520)
})
