import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerOf, respondWith, sentQueries } from '#tests/harness/answered-queries.ts'
import { emitter } from '#web/lib/emitter.ts'
import { openLoneTab, putRows, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import type { Deal } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { choicesOf, addedChoiceOf } from './choice-view.ts'
import { entriesOf, loadedEntries, referencedTables, listWithoutScroller } from './entries-of.ts'
import { RowMemo } from './row-memo.ts'
import { listKey, readListKey } from './list-options.ts'
import { type RelatedList, joinLists, noRelatedRecords, relatedTo } from './related-list.ts'
import { noList } from './record-list.ts'
import type { View } from './view.ts'

afterEach(() => {
  vi.useRealTimers()
})

const nameEntry = ({ tables }: BrandData, { name, contact_id }: Deal) =>
  `${name} ${contact_id ? (tables.contacts.get(contact_id)?.first_name ?? '?') : ''}`
const dealParts = (id: string, contact_id: string | null = null) => ({ id, name: id, contact_id, company_id: null })

describe('the entries of a list', () => {
  test('the entries of a list are computed again when a row that they show changes', async () => {
    const { data } = await openLoneTab()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    putRows(data, 'deals', dealParts('a', 'owen'), dealParts('b'))
    const list = entriesOf(data, { table: 'deals', order: 'name' }, nameEntry)
    let notifiedTimes = 0
    list.subscribe(() => (notifiedTimes += 1))
    const before = list.read()
    expect(loadedEntries(before)).toEqual(['a ?', 'b '])
    expect([before.total, before.at(2)]).toEqual([2, undefined])
    putRows(data, 'tasks', { id: 'x' })
    expect(list.read()).toBe(before)
    putRows(data, 'contacts', { id: 'owen', first_name: 'Owen' })
    expect(loadedEntries(list.read())).toEqual(['a Owen', 'b '])
    vi.advanceTimersByTime(80)
    expect(notifiedTimes).toBe(1)
  })

  test('`loadedEntries` returns the first entries, up to the first one whose row is not on this device', () => {
    const list = { ...noList, total: 4, at: (index: number) => ['a', 'b', undefined, 'd'][index] }
    expect(loadedEntries(list)).toEqual(['a', 'b'])
    expect(loadedEntries(list, 1)).toEqual(['a'])
    expect(loadedEntries({ ...list, total: 1 })).toEqual(['a'])
  })

  test('`referencedTables` returns each referenced table once', async () => {
    const { data } = await openLoneTab()
    expect(referencedTables(data, 'deals')).toEqual([data.tables.contacts, data.tables.companies])
    expect(referencedTables(data, 'tags')).toEqual([])
  })
})

describe('a list that is shown without a scroller', () => {
  test('a list that is shown without a scroller fetches the pages of its first hundred rows, and the rows that these refer to, while it has a subscriber', async () => {
    const tab = await openLoneTab({ windowed: ['deals', 'contacts'] })
    const rows = Array.from({ length: 130 }, (_, index) => serverRow(dealParts(String(index).padStart(3, '0'), 'owen')))
    respondWith(tab.network, (question) => answerOf(rows, question))
    const list = listWithoutScroller(entriesOf(tab.data, { table: 'deals', order: 'name' }, nameEntry))
    let notifiedTimes = 0
    const stop = list.subscribe(() => (notifiedTimes += 1))
    for (let turn = 0; turn < 3; turn++) {
      await untilIdle(20)
      tab.clock.advance(20)
      await untilIdle(80)
    }
    expect(
      sentQueries(tab.network)
        .flat()
        .map(({ skip = 0, after }) => [skip, after?.[0] ?? null]),
    ).toEqual([
      [0, null],
      [0, '029'],
      [30, '029'],
      [60, '029'],
    ])
    expect(loadedEntries(list.read())).toHaveLength(120)
    expect(notifiedTimes).toBeGreaterThan(0)
    expect(tab.network.lines).toContain('GET /rest/v1/contacts')
    stop()
  })

  test('a list that is shown without a scroller requests its first hundred rows when a subscriber comes and after each change; an empty list requests none', () => {
    const wanted: [number, number | undefined][] = []
    const changes = emitter()
    const list = { ...noList, total: 0, want: (first: number, last?: number) => wanted.push([first, last]) }
    const stop = listWithoutScroller({ read: () => list, subscribe: changes.subscribe }).subscribe(() => {})
    expect(wanted).toEqual([])
    for (const total of [1, 2, 100, 130]) {
      list.total = total
      changes.emit()
    }
    stop()
    changes.emit()
    expect(wanted.splice(0)).toEqual([
      [0, 0],
      [0, 1],
      [0, 99],
      [0, 99],
    ])
    listWithoutScroller({ read: () => list, subscribe: changes.subscribe }).subscribe(() => {})
    expect(wanted).toEqual([[0, 99]])
  })
})

describe('related records', () => {
  test('related records are the rows of the query and their number', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'deals', dealParts('a', 'owen'), dealParts('b'))
    const related = relatedTo(data, { table: 'deals', where: { contact_id: 'owen' } }, nameEntry)
    expect(related.read()).toEqual({ ready: true, total: 1, entries: ['a ?'] })
    putRows(data, 'deals', dealParts('c', 'owen'))
    expect(related.read().total).toBe(2)
  })

  test('related records of several lists are joined into one list, which is ready when all the lists are', () => {
    const listed = (list: RelatedList<string>): View<RelatedList<string>> => ({
      read: () => list,
      subscribe: () => () => {},
    })
    const [firstList, secondList] = [
      listed({ ready: true, total: 3, entries: ['a', 'b'] }),
      listed({ ready: true, total: 1, entries: ['c'] }),
    ]
    expect(joinLists([firstList, secondList]).read()).toEqual({ ready: true, total: 4, entries: ['a', 'b', 'c'] })
    expect(joinLists([firstList, listed(noRelatedRecords)]).read()).toEqual({
      ready: false,
      total: 3,
      entries: ['a', 'b'],
    })
    expect(joinLists([firstList])).toBe(firstList)
    expect(joinLists<string>([]).read()).toEqual({ ready: true, total: 0, entries: [] })
  })
})

describe('the choices of a field', () => {
  const choiceOf = ({ id, name }: Deal) => ({ id, label: name })

  test('the choices of a field are the first fifty rows, in the order that `arrange` gives them', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'deals', ...Array.from({ length: 60 }, (_, index) => dealParts(String(index).padStart(2, '0'))))
    const { ready, choices } = choicesOf(data, { table: 'deals', order: 'name' }, choiceOf).read()
    expect([ready, choices.length, choices[49]]).toEqual([true, 50, { id: '49', label: '49' }])
    const few = choicesOf(data, { table: 'deals', order: 'name', where: { contact_id: 'owen' } }, choiceOf)
    expect(few.read().choices).toEqual([])
    putRows(data, 'deals', dealParts('z', 'owen'))
    expect(few.read().choices).toEqual([{ id: 'z', label: 'z' }])
    const arranged = choicesOf(data, { table: 'deals', order: 'name' }, choiceOf, (rows) => rows.toReversed())
    expect(arranged.read().choices[0]).toEqual({ id: '49', label: '49' })
  })

  test('the choices of a field are filtered by the typed text', async () => {
    const { data } = await openLoneTab()
    putRows(data, 'deals', dealParts('roof'), dealParts('wall'))
    expect(choicesOf(data, { table: 'deals', search: 'wal' }, choiceOf).read().choices).toEqual([
      { id: 'wall', label: 'wall' },
    ])
  })

  test('`addedChoiceOf` returns the id of an added record, also while the record waits to be sent, or the refusal', async () => {
    expect(await addedChoiceOf(Promise.resolve({ status: 'saved', id: 'a' }))).toEqual({ id: 'a' })
    expect(await addedChoiceOf(Promise.resolve({ status: 'queued', id: 'a' }))).toEqual({ id: 'a' })
    expect(await addedChoiceOf(Promise.resolve({ status: 'refused', message: 'no', code: null }))).toEqual({
      refused: 'no',
    })
  })
})

test('an entry stays the same object while its row and its parts stay the same', () => {
  const memo = new RowMemo<object, { made: number }>()
  let made = 0
  const make = () => ({ made: (made += 1) })
  const row = {}
  const first = memo.get(row, ['a', Number.NaN], make)
  expect(memo.get(row, ['a', Number.NaN], make)).toBe(first)
  expect(memo.get(row, ['b', Number.NaN], make)).toEqual({ made: 2 })
  expect(memo.get(row, ['b', 1], make)).toEqual({ made: 3 })
  expect(memo.get({}, ['b', 1], make)).toEqual({ made: 4 })
})

test('`readListKey` returns the search and the options that were given to `listKey`', () => {
  expect(readListKey(listKey(' roof ', {}))).toEqual({ search: 'roof', mine: false, sort: 'newest' })
  expect(readListKey(listKey('', { mine: true, owner: null, where: { stage_id: 'x' }, sort: 'name' }))).toEqual({
    search: '',
    mine: true,
    owner: null,
    where: { stage_id: 'x' },
    sort: 'name',
  })
})
