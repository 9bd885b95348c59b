import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { stageBars } from '#web/features/overview/stage-bars.ts'
import { weightedSumsOf } from '#web/data/weighted-sums.ts'
import { formatSums } from '#web/lib/money.ts'
import { dataOf, goOffline, goOnline, makeDeal, stagesOf, untilPulled, untilSent } from '../harness/acme.ts'
import { acme, inDatabase, server, setUpAcme } from '../harness/acme-scene.ts'
import { fakeBrowser } from '../harness/fake-browser.ts'

setUpAcme()

interface SomeDeal {
  name: string
  stage: number
  currency: string
  minor: number
}

/** Generates deals in four currencies. `minor` is the amount in pennies, cents, or whole yen. */
const someDeals: fc.Arbitrary<SomeDeal[]> = fc.array(
  fc.record({
    name: fc.constantFrom('Quay refit', 'Depot', 'Old QUAY', 'Lighting'),
    stage: fc.nat(5),
    currency: fc.constantFrom('GBP', 'EUR', 'JPY', 'USD'),
    minor: fc.oneof(fc.nat(999), fc.integer({ min: 0, max: 10_000_000_000 }), fc.constantFrom(1, 10, 29, 113_57)),
  }),
  { maxLength: 25 },
)

const amountOf = ({ currency, minor }: SomeDeal) => (currency === 'JPY' ? String(minor) : (minor / 100).toFixed(2))

/** Returns the sums of the deals that a search finds, in hundredths, from SQL: by stage and currency, or (`onlyOpen`) of open deals by currency. */
async function sumsInDatabase(onlyOpen: boolean, search: string): Promise<Record<string, string>> {
  const rows = await inDatabase<{ place: string; hundredths: string }>(
    `select ${onlyOpen ? '' : "s.name || ' ' ||"} d.amount_currency as place, trunc(sum(d.amount) * 100)::text as hundredths
     from public.deals d join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
     where d.brand_id = $1 and d.name ilike '%' || $2 || '%' ${onlyOpen ? "and s.kind = 'open'" : ''} group by 1`,
    acme.brandId,
    search,
  )
  return Object.fromEntries(rows.map(({ place, hundredths }) => [place, hundredths]))
}

function board(search = '') {
  return acme.tab.boardView(dataOf(acme.tab), { search }).read()
}

function inHundredths(sums: readonly { currency: string; amount: number }[], prefix = ''): Record<string, string> {
  return Object.fromEntries(sums.map(({ currency, amount }) => [`${prefix}${currency}`, (amount * 100).toFixed(0)]))
}

function withoutZeros(sums: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(sums).filter(([, hundredths]) => hundredths !== '0'))
}

/** Expects the sums of columns, bars, pipeline (of all deals, and of the hits of a search) and overview to equal those of SQL, in hundredths. */
async function expectSameSums(): Promise<void> {
  for (const search of ['quay', '']) {
    const { columns, pipeline } = board(search)
    const byStage = columns.map(({ stage, totals }) => inHundredths(totals, `${stage.name} `))
    expect(Object.assign({}, ...byStage)).toEqual(await sumsInDatabase(false, search))
    expect(inHundredths(pipeline)).toEqual(await sumsInDatabase(true, search))
  }
  const { columns } = board()
  const bars = stageBars(columns.map(({ totals }) => totals)).map((sums, index) => {
    const shownSums = columns[index]?.count ? sums : []
    return inHundredths(shownSums, `${columns[index]?.stage.name} `)
  })
  // A bar of zero is shown only if its stage has no other bar.
  for (const sums of bars) expect(Object.values(sums).length > 1 && Object.values(sums).includes('0')).toBe(false)
  expect(columns.map(({ count }) => count > 0)).toEqual(bars.map((sums) => Object.keys(sums).length > 0))
  expect(withoutZeros(Object.assign({}, ...bars))).toEqual(withoutZeros(await sumsInDatabase(false, '')))
  const openSums = await sumsInDatabase(true, '')
  const { figures } = acme.tab.dashboardView(dataOf(acme.tab)).read()
  expect(inHundredths(figures?.pipeline ?? [])).toEqual(openSums)
}

test('totals of columns, bars, pipeline and overview in four currencies, also of a search, equal those of SQL to the minor unit', async () => {
  const { tab, brandId } = acme
  const stages = stagesOf(tab)
  await fc.assert(
    fc.asyncProperty(someDeals, async (deals) => {
      await inDatabase('delete from public.deals where brand_id = $1', brandId)
      await inDatabase(
        `insert into public.deals (brand_id, name, stage_id, amount_currency, amount)
         select $1, d.name, d.stage, d.currency, d.amount
         from unnest($2::text[], $3::uuid[], $4::text[], $5::numeric[]) as d (name, stage, currency, amount)`,
        brandId,
        deals.map(({ name }) => name),
        deals.map(({ stage }) => stages[stage]?.id),
        deals.map(({ currency }) => currency),
        deals.map(amountOf),
      )
      await tab.requestPull(tab.device)
      await expectSameSums()
      const formattedSums = board().columns.map(({ totals }) => formatSums(totals))
      for (const sum of formattedSums) expect(sum.indexOf('£')).toBeLessThanOrEqual(0)
    }),
    {
      numRuns: 40,
      // One stage has a sum of zero beside another sum, and one has only sums of zero.
      examples: [
        [
          [
            { name: 'Quay refit', stage: 2, currency: 'GBP', minor: 1 },
            { name: 'Quay refit', stage: 2, currency: 'JPY', minor: 0 },
            { name: 'Quay refit', stage: 0, currency: 'EUR', minor: 0 },
            { name: 'Quay refit', stage: 0, currency: 'GBP', minor: 0 },
          ],
        ],
      ],
    },
  )
}, 60_000)

test('the weighted value of open deals equals that of SQL to the hundredth, whichever stages have a probability', async () => {
  const { tab, brandId } = acme
  const stages = stagesOf(tab)
  const probabilities = fc.array(fc.option(fc.nat(100)), { minLength: 6, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(someDeals, probabilities, async (deals, percents) => {
      await inDatabase('delete from public.deals where brand_id = $1', brandId)
      await inDatabase(
        `update public.deal_stages s set probability = c.percent
         from unnest($2::uuid[], $3::integer[]) as c (id, percent) where s.brand_id = $1 and s.id = c.id`,
        brandId,
        stages.map(({ id }) => id),
        percents,
      )
      await inDatabase(
        `insert into public.deals (brand_id, name, stage_id, amount_currency, amount)
         select $1, 'Deal', d.stage, d.currency, d.amount
         from unnest($2::uuid[], $3::text[], $4::numeric[]) as d (stage, currency, amount)`,
        brandId,
        deals.map(({ stage }) => stages[stage]?.id),
        deals.map(({ currency }) => currency),
        deals.map(amountOf),
      )
      await tab.requestPull(tab.device)
      const rows = await inDatabase<{ currency: string; hundredths: string }>(
        `select d.amount_currency as currency, trunc(round(sum(d.amount * s.probability / 100.0), 2) * 100)::text as hundredths
         from public.deals d join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
         where d.brand_id = $1 and s.kind = 'open' and s.probability is not null group by 1`,
        brandId,
      )
      const weighted = weightedSumsOf(board().columns)
      expect(weighted === null).toBe(percents.slice(0, 4).every((percent) => percent === null))
      expect(inHundredths(weighted?.sums ?? [])).toEqual(
        Object.fromEntries(rows.map(({ currency, hundredths }) => [currency, hundredths])),
      )
    }),
    { numRuns: 40 },
  )
}, 60_000)

test('totals are right after deals are moved, edited and deleted offline, and equal those of SQL when the device is online again', async () => {
  const { tab, browser } = acme
  const stages = stagesOf(tab)
  const emptyFields = { expected_close_date: null, contact_id: null, company_id: null }
  const stage_id = stages[0]?.id ?? ''
  const outcomes = []
  for (const [amount, amount_currency] of [
    [0.1, 'GBP'],
    [0.2, 'GBP'],
    [33.33, 'EUR'],
    [1850000, 'JPY'],
  ] as const)
    outcomes.push(await tab.createDeal(tab.device, { name: 'Deal', stage_id, amount, amount_currency, ...emptyFields }))
  const [first = '', second = '', third = '', fourth = ''] = outcomes.map((outcome) =>
    'id' in outcome ? outcome.id : '',
  )
  expect(formatSums(board().columns[0]?.totals ?? [])).toBe('£0.30 + €33.33 + ¥1,850,000')

  browser.network.offline = true
  void tab.updateRecord(tab.device, 'deals', first, { amount: 12_400, amount_currency: 'EUR' })
  void tab.moveDeal(tab.device, third, stages[1]?.id ?? '')
  void tab.moveDeal(tab.device, second, stages[5]?.id ?? '')
  await tab.deleteRecords(tab.device, 'deals', [fourth])
  expect(board().columns.map(({ totals }) => formatSums(totals))).toEqual([
    '€12,400',
    '€33.33',
    '£0',
    '£0',
    '£0',
    '£0.20',
  ])
  expect(formatSums(board().pipeline)).toBe('€12,433.33')

  await goOnline(acme)
  await untilSent(tab)
  await tab.requestPull(tab.device)
  await expectSameSums()
}, 30_000)

test('an amount and its currency are never mixed from two devices: an undo gives way, and an offline edit asks one question', async () => {
  const { tab } = acme
  const otherBrowser = fakeBrowser(server)
  onTestFinished(() => otherBrowser.close())
  const other = await otherBrowser.openTab()
  expect(await other.signIn(other.device, acme.email, 'correct horse')).toMatchObject({ ok: true })
  await other.chooseBrand(other.device, acme.brandId)
  await untilPulled(other)
  type Money = { amount?: number; amount_currency?: string }
  const edit = ({ device }: typeof tab, id: string, patch: Money) => tab.updateRecord(device, 'deals', id, patch)
  const onServer = async (id: string) => {
    const rows = await inDatabase(
      "select amount_currency || ' ' || amount::float8 as money from public.deals where id = $1",
      id,
    )
    return rows[0]?.money
  }
  const makeForBoth = async (amount: number) => {
    const id = await makeDeal(tab, { amount, amount_currency: 'GBP' })
    await other.requestPull(other.device)
    return id
  }

  const undone = await makeForBoth(10)
  await edit(tab, undone, { amount: 10, amount_currency: 'EUR' })
  await other.requestPull(other.device)
  await edit(other, undone, { amount: 5000 })
  // This device has not pulled the other device's edit, so the server decides.
  await tab.undoStep(tab.device)?.outcome
  await untilSent(tab)
  expect(await onServer(undone)).toBe('EUR 5000')

  const cases = [
    { keep: 'mine', mine: { amount: 1200 }, theirs: { amount_currency: 'EUR' }, shown: ['£1,000', '£1,200', '€1,000'] },
    {
      keep: 'theirs',
      mine: { amount_currency: 'USD' },
      theirs: { amount: 5000 },
      shown: ['£1,000', '$1,000', '£5,000'],
    },
    {
      keep: 'mine',
      mine: { amount: 1200 },
      theirs: { amount: 1150, amount_currency: 'EUR' },
      shown: ['£1,000', '£1,200', '€1,150'],
    },
  ] as const
  for (const { keep, mine, theirs, shown } of cases) {
    const id = await makeForBoth(1000)
    goOffline(acme)
    await edit(tab, id, mine)
    await edit(other, id, theirs)
    await goOnline(acme)
    const [operation] = tab.queue(tab.device).get().operations
    const line = operation && tab.queueLine(tab.device, operation, [operation])
    expect(line?.conflicts.map((each) => [each.base, each.mine, each.theirs])).toEqual([shown])
    expect(line?.conflicts[0]?.name).toBe('amount')
    await tab.resolveConflict(tab.device, operation?.id ?? '', { amount: keep })
    await untilSent(tab)
    const before = { amount: 1000, amount_currency: 'GBP' }
    const { amount, amount_currency } = { ...before, ...(keep === 'mine' ? mine : theirs) }
    expect(await onServer(id)).toBe(`${amount_currency} ${amount}`)
    expect(tab.queue(tab.device).get().operations).toEqual([])
  }
}, 30_000)
