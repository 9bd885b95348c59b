import { expect, test } from 'vitest'
import { openLoneTab, putRows, serverRow, type LoneTab } from '#tests/harness/lone-tab.ts'
import { reachable } from '#web/data/server/network.ts'
import { exportPages } from './export-records.ts'

const readQueries = 'POST /rest/v1/rpc/read_queries'

/** Opens a tab with two deals. Each has a contact and a company; those of the second deal are not on the device. */
async function openTab(): Promise<LoneTab> {
  const tab = await openLoneTab({ windowed: ['contacts', 'companies'] })
  putRows(tab.data, 'contacts', { id: 'owen', first_name: 'Owen', last_name: null })
  putRows(tab.data, 'companies', { id: 'slate', name: 'Slate' })
  putRows(
    tab.data,
    'deals',
    { id: 'here', contact_id: 'owen', company_id: 'slate' },
    { id: 'away', contact_id: 'zoe', company_id: 'fjord' },
  )
  return tab
}

/** Exports the deals with these ids. Returns the names of contact and company of each. */
async function exportedNames({ device, clock }: LoneTab, ids: readonly string[]) {
  const names: unknown[] = []
  let lacksNames = false
  for await (const page of exportPages(device, { table: 'deals', ids }, new AbortController())) {
    names.push(...page.rows.map((row) => [page.nameOf('contacts', row), page.nameOf('companies', row)]))
    lacksNames ||= page.lacksNames
    // The export pauses after each page.
    void Promise.resolve().then(() => clock.advance(0))
  }
  return { names, lacksNames }
}

test('an export of selected deals reads the names of contacts and companies that are not on the device', async () => {
  const tab = await openTab()
  tab.network.on(readQueries, () => ({
    body: {
      answers: [
        { rows: [serverRow({ id: 'zoe', first_name: 'Zoë', last_name: 'Lund' })] },
        { rows: [serverRow({ id: 'fjord', name: 'Fjord' })] },
      ],
      named: {},
    },
  }))
  expect(await exportedNames(tab, ['away', 'here'])).toEqual({
    names: [
      ['Zoë Lund', 'Fjord'],
      ['Owen', 'Slate'],
    ],
    lacksNames: false,
  })
  expect(tab.network.of(readQueries).map(({ body }) => body)).toMatchObject([
    {
      p_queries: [
        { table: 'contacts', where: { id: ['zoe'] } },
        { table: 'companies', where: { id: ['fjord'] } },
      ],
    },
  ])
})

test('an export of selected deals requests no names that are on the device', async () => {
  const tab = await openTab()
  expect(await exportedNames(tab, ['here'])).toEqual({ names: [['Owen', 'Slate']], lacksNames: false })
  expect(tab.network.of(readQueries)).toEqual([])
})

test('offline, an export of selected deals returns whether names are missing', async () => {
  const tab = await openTab()
  reachable(tab.device).set(false)
  expect(await exportedNames(tab, ['here'])).toEqual({ names: [['Owen', 'Slate']], lacksNames: false })
  expect(await exportedNames(tab, ['here', 'away'])).toEqual({
    names: [
      ['Owen', 'Slate'],
      [null, null],
    ],
    lacksNames: true,
  })
})
