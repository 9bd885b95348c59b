// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { respondWith, sentQueries } from '#tests/harness/answered-queries.ts'
import { type LoneTab, openLoneTab, putRows, untilIdle, setModes } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import { useIsOffline, useSyncStatus } from '#web/data/sync/sync-status.ts'
import { choicesOf, useChoiceSearch } from './choice-view.ts'
import { useCount, useRows, useSum } from './use-query.ts'
import { useRecord } from './use-record.ts'
import { useLinkCounts } from './link-counts.ts'

renderInPage()

/** Shows what a hook returns, as JSON. */
function show(tab: LoneTab, useHook: () => unknown): void {
  function Probe() {
    return JSON.stringify(useHook())
  }
  act(() =>
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <Probe />
      </DeviceContext>,
    ),
  )
}

const shownValue = (): unknown => JSON.parse(document.body.textContent ?? 'null')

async function openDeals(): Promise<LoneTab> {
  const tab = await openLoneTab()
  const deal = { amount_currency: 'GBP', contact_id: null, company_id: null }
  putRows(
    tab.data,
    'deals',
    { id: 'a', name: 'Roof', amount: 5, ...deal },
    { id: 'b', name: 'Wall', amount: 7, ...deal },
  )
  return tab
}

test('the hooks return the rows, the count and the sum of a query, and empty values while the stored rows are not read', async () => {
  const tab = await openDeals()
  function useAll() {
    const { total, at } = useRows({ table: 'deals', order: 'name' })
    const count = useCount({ table: 'deals' })
    return [total, at(1)?.name, count, useSum({ table: 'deals' })]
  }
  show(tab, useAll)
  expect(shownValue()).toEqual([2, 'Wall', 2, [{ currency: 'GBP', amount: 12 }]])
  act(() => tab.data.loaded.set(false))
  expect(shownValue()).toEqual([0, null, null, null])
})

const failToMake = () => {
  throw new Error('There is no brand.')
}

test('without an open brand the hooks return empty values', async () => {
  const tab = await openDeals()
  tab.data.close()
  show(tab, () => {
    const { at: _, want: __, ...rows } = useRows({ table: 'deals' })
    const { choices, ready } = useChoiceSearch(failToMake)
    const count = useCount({ table: 'deals' })
    return [rows, choices, ready, count, useRecord('deals', 'a'), useLinkCounts('contacts', [])]
  })
  expect(shownValue()).toEqual([
    { ready: false, total: 0, searching: false, hasFailed: false },
    [],
    false,
    null,
    { ready: false, row: null, missing: false },
    { ready: false, links: [] },
  ])
})

test('the sync status and the offline state follow `reachable`', async () => {
  const tab = await openLoneTab()
  function useBoth() {
    return [useSyncStatus()?.state, useIsOffline()]
  }
  show(tab, useBoth)
  expect(shownValue()).toEqual(['saved', false])
  act(() => reachable(tab.device).set(false))
  expect(shownValue()).toEqual(['offline', true])
})

test('a record is found by its id', async () => {
  const tab = await openDeals()
  show(tab, () => useRecord('deals', 'b').row?.name)
  expect(shownValue()).toBe('Wall')
  show(tab, () => useRecord('deals', null))
  expect(shownValue()).toEqual({ ready: true, row: null, missing: false })
})

test('the choices of a field are filtered by the last typed text', async () => {
  const tab = await openDeals()
  const latest: { type?: (text: string) => void } = {}
  const make = (data: LoneTab['data'], search: string) =>
    choicesOf(data, { table: 'deals', search }, ({ id, name }) => ({ id, label: name }))
  show(tab, () => {
    const { choices, onSearch } = useChoiceSearch(make)
    latest.type = onSearch
    return choices.map(({ id }) => id)
  })
  expect(shownValue()).toEqual(['a', 'b'])
  act(() => latest.type?.(' wal '))
  expect(shownValue()).toEqual(['b'])
})

test('the links that a delete clears are counted on this device, and on the server for windowed tables; deals come first', async () => {
  const tab = await openLoneTab({ windowed: ['tasks'] })
  putRows(
    tab.data,
    'deals',
    { id: 'a', contact_id: 'owen' },
    { id: 'b', contact_id: 'zoe' },
    { id: 'c', contact_id: 'bea' },
  )
  respondWith(tab.network, () => ({ total: 4 }))
  tab.data.firstPullEnded.set(false)
  show(tab, () => useLinkCounts('contacts', ['owen', 'zoe']))
  expect(shownValue()).toEqual({ ready: false, links: [{ table: 'deals', count: 2 }] })
  // The server still counts the tasks.
  act(() => tab.data.firstPullEnded.set(true))
  expect(shownValue()).toEqual({ ready: false, links: [{ table: 'deals', count: 2 }] })
  await act(async () => {
    await untilIdle(20)
    tab.clock.advance(4)
    await untilIdle()
  })
  expect(shownValue()).toEqual({
    ready: true,
    links: [
      { table: 'deals', count: 2 },
      { table: 'tasks', count: 4 },
    ],
  })
  expect(sentQueries(tab.network)).toMatchObject([[{ table: 'tasks', where: { contact_id: ['owen', 'zoe'] } }]])
})

test('the links to 120 records, which are more than one condition may list, are all counted; for no records, nothing is counted', async () => {
  const tab = await openLoneTab()
  const ids = Array.from({ length: 120 }, (_, index) => `c${index}`)
  putRows(tab.data, 'deals', ...ids.map((id) => ({ id, contact_id: id })))
  show(tab, () => useLinkCounts('contacts', ids))
  expect(shownValue()).toEqual({ ready: true, links: [{ table: 'deals', count: 120 }] })
  show(tab, () => useLinkCounts('contacts', ['c5']))
  expect(shownValue()).toEqual({ ready: true, links: [{ table: 'deals', count: 1 }] })
  setModes(tab.data, ['deals', 'tasks', 'notes', 'deal_contacts'])
  show(tab, () => useLinkCounts('contacts', []))
  expect(shownValue()).toEqual({ ready: true, links: [] })
  await act(() => untilIdle(20))
  tab.clock.advance(4)
  await act(() => untilIdle(20))
  expect(
    sentQueries(tab.network)
      .flat()
      .flatMap(({ where = {} }) => Object.values(where)),
  ).not.toContainEqual([''])
  act(() => tab.data.loaded.set(false))
  expect(shownValue()).toEqual({ ready: false, links: [] })
})
