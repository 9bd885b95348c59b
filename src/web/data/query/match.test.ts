import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LoneTab, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { searchMatcher, whereMatcher } from './match.ts'
import type { Condition } from './query.ts'

let tab: LoneTab

beforeAll(async () => {
  tab = await openLoneTab()
  putRows(
    tab.data,
    'deals',
    {
      id: 'a',
      name: 'A',
      amount: 5,
      owner_id: 'bo',
      expected_close_date: '2026-11-01',
      tag_ids: ['x', 'y'],
      custom: { number: 5, text: 'm', yes: true, choices: ['g'] },
    },
    {
      id: 'b',
      name: 'B',
      amount: 7,
      owner_id: null,
      expected_close_date: null,
      tag_ids: ['z'],
      custom: { number: 7, text: '5', yes: false },
    },
    { id: 'c', name: 'C', amount: 10, owner_id: 'zoe', expected_close_date: '2026-11-10', custom: {} },
  )
  putRows(
    tab.data,
    'tasks',
    { id: 'early', due_at: '2026-11-20T08:00:00+00:00', status: 'open' },
    { id: 'late', due_at: '2026-11-20T12:00:00.000Z', status: 'open' },
    // This task is due on a day. Its `due_at` is the last millisecond of the day, here in a time zone that is 5 hours ahead of UTC.
    { id: 'day', due_at: '2026-11-20T18:59:59.999Z', status: 'done' },
    { id: 'none', due_at: null, status: 'done' },
  )
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T10:00:00Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

const dealIds = (where: Record<string, Condition>) =>
  [...tab.data.tables.deals.values()]
    .filter(whereMatcher({ table: 'deals', where }))
    .map(({ id }) => id)
    .join('')
const taskIds = (where: Record<string, Condition>) =>
  [...tab.data.tables.tasks.values()].filter(whereMatcher({ table: 'tasks', where })).map(({ id }) => id)

describe('a column', () => {
  test.each<[string, string, Condition]>([
    ['has a value', 'a', 'bo'],
    ['is empty', 'b', null],
    ['has one of several values', 'ac', ['bo', 'zoe']],
    ['has one of several values: null in a list never matches', 'a', ['bo', null]],
    ['has one of no values', '', []],
    ['is filled', 'ac', { not: null }],
    ['has any value', 'abc', {}],
  ])('a condition on a column finds its rows: %s', (_, found, condition) => {
    expect(dealIds({ owner_id: condition })).toBe(found)
  })

  test.each<[string, Condition]>([
    ['bc', { gt: 5 }],
    ['abc', { gte: 5 }],
    ['a', { lt: 7 }],
    ['ab', { lte: 7 }],
    ['b', { gt: 5, lt: 10 }],
    ['bc', { gte: 7, not: null }],
    ['', { gt: 10 }],
    ['abc', { gt: -1 }],
  ])('a condition finds %s within bounds of numbers: %j', (found, condition) => {
    expect(dealIds({ amount: condition })).toBe(found)
  })

  test.each<[string, Condition]>([
    ['c', { gt: '2026-11-01' }],
    ['ac', { gte: '2026-11-01' }],
    ['a', { lt: '2026-11-10' }],
    ['ac', { lte: '2026-11-10' }],
    ['a', { gte: '2026-11-01', lt: '2026-11-10' }],
    ['ac', { gt: '2026' }],
    ['ac', { gt: '2026-11' }],
  ])('a condition finds %s within bounds of days, and nothing that is empty: %j', (found, condition) => {
    expect(dealIds({ expected_close_date: condition })).toBe(found)
  })

  test('a condition with `has` is met by a set that contains one of its values, and by nothing else', () => {
    expect(dealIds({ tag_ids: { has: ['y', 'z'] } })).toBe('ab')
    expect(dealIds({ tag_ids: { has: ['q'] } })).toBe('')
    expect(dealIds({ owner_id: { has: ['bo'] } })).toBe('')
  })

  test('a row matches if each of its columns meets its condition', () => {
    expect(dealIds({ owner_id: { not: null }, amount: { gt: 5 } })).toBe('c')
    expect(dealIds({ owner_id: 'bo', amount: { gt: 5 } })).toBe('')
    expect(dealIds({})).toBe('abc')
    expect([...tab.data.tables.deals.values()].filter(whereMatcher({ table: 'deals' }))).toHaveLength(3)
  })
})

describe('a moment', () => {
  test.each<[string[], Condition]>([
    [['early'], { lt: { now: 0 } }],
    [['late', 'day'], { gte: { now: 0 } }],
    [['late'], { gt: { now: 0 }, lte: { now: 7200 } }],
    [['early', 'late'], { lt: { now: 7201 } }],
    [['early', 'late'], { lt: { now: 20_000 } }],
    [['early', 'late', 'day'], { lt: { now: 36_000 } }],
    [['late', 'day'], { gt: '2026-11-20T09:00:00+01:00' }],
    [['early', 'late', 'day'], { gte: '2026-11-20T09:00:00+01:00' }],
    [['early'], { lt: '2026-11-20T13:00:00+01:00' }],
    [['early', 'late'], { lte: '2026-11-20T13:00:00+01:00' }],
  ])(
    'the tasks %j meet the condition %j, because moments are compared as times, whatever their time zone',
    (found, condition) => {
      expect(taskIds({ due_at: condition })).toEqual(found)
    },
  )

  test.each<[string[], Condition]>([
    [['early', 'day'], { lt: { now: 0, day: '2026-11-21' } }],
    [['early'], { lt: { now: 0, day: '2026-11-20' } }],
    [['late', 'day'], { gte: { now: 0, day: '2026-11-20' } }],
    [['late'], { gte: { now: 0, day: '2026-11-21' } }],
    [['early', 'day'], { lt: { at: '2026-11-20T10:00:00Z', day: '2026-11-21' } }],
    [['early'], { lte: { at: '2026-11-20T10:00:00Z', day: '2026-11-20' } }],
  ])(
    'the tasks %j meet the condition %j, because a task that is due on a day is compared by its day alone',
    (found, condition) => {
      expect(taskIds({ due_at: condition })).toEqual(found)
    },
  )
})

describe('a custom field', () => {
  test.each<[string, string, string, Condition]>([
    ['has a value', 'a', 'number', 5],
    ['is empty', 'c', 'number', null],
    ['has one of several', 'b', 'yes', [false]],
    ['is filled', 'ab', 'yes', { not: null }],
    ['is more', 'b', 'number', { gt: 5 }],
    ['is equal or more', 'ab', 'number', { gte: 5 }],
    ['is less', 'a', 'number', { lt: 7 }],
    ['is equal or less', 'ab', 'number', { lte: 7 }],
    ['is between', 'a', 'number', { gte: 5, lt: 7 }],
    ['comes after in the alphabet', 'a', 'text', { gt: '5' }],
    ['is equal or comes after in the alphabet', 'ab', 'text', { gte: '5' }],
    ['is not a number, for a bound that is a number', '', 'text', { lt: 9 }],
    ['is not a text, for a bound that is a text', '', 'number', { gt: '' }],
    ['is a boolean, which has no bounds', '', 'yes', { gte: 0 }],
    ['is not a moment', '', 'text', { gt: { now: 0 } }],
    ['has one of these choices', 'a', 'choices', { has: ['g', 's'] }],
    ['has any value', 'abc', 'number', {}],
  ])('a condition on a custom field finds its rows: %s', (_, found, field, condition) => {
    expect(dealIds({ [`custom.${field}`]: condition })).toBe(found)
  })
})

describe('a search', () => {
  const matchedIds = (search?: string) => {
    const matches = searchMatcher(tab.data, { table: 'tasks', ...(search !== undefined && { search }) })
    return matches && [...tab.data.tables.tasks.values()].filter(matches).map(({ id }) => id)
  }

  test('a search finds a row that contains each of the words in one of its forms', () => {
    putRows(
      tab.data,
      'tasks',
      { id: 'call', title: 'Müller anrufen' },
      { id: 'mail', title: 'Mail an Owen' },
      { id: 'muller', title: 'Muller' },
    )
    expect(matchedIds('muller')).toEqual(['call', 'muller'])
    expect(matchedIds('mueller')).toEqual(['call'])
    expect(matchedIds('müller')).toEqual(['call', 'muller'])
    expect(matchedIds('an')).toEqual(['call', 'mail'])
    expect(matchedIds('an owen')).toEqual(['mail'])
    expect(matchedIds('an zoe')).toEqual([])
  })

  test('a search without words, or in a table that cannot be searched, has no matcher', () => {
    expect([matchedIds(), matchedIds(''), matchedIds('  ')]).toEqual([null, null, null])
    expect(searchMatcher(tab.data, { table: 'memberships', search: 'bo' })).toBeNull()
  })
})
