import { beforeAll, describe, expect, test } from 'vitest'
import { acme, openLoneTab, putRows, serverRow, type LoneTab } from '#tests/harness/lone-tab.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { noticesOf } from './notice-words.ts'
import type { SendResult } from './send-result.ts'
import type { MergeEffect } from './settle-merged.ts'

let tab: LoneTab

beforeAll(async () => {
  tab = await openLoneTab()
  putRows(tab.data, 'memberships', { id: 'bo', display_name: 'Bo' }, { id: 'zoe', display_name: 'Zoe' })
})

const roof = serverRow({ id: 'a', name: 'Roof', updated_by: 'bo' })
const slate = serverRow({ id: 'b', name: 'Slate', updated_by: 'bo' })
const wallByZoe = serverRow({ id: 'c', name: 'Wall', updated_by: 'zoe' })
const doorByNobody = serverRow({ id: 'd', name: 'Door', updated_by: null })

const notices = (parts: Partial<Operation>, sent: SendResult, isShown = false, merge?: MergeEffect) =>
  noticesOf(tab.device, testOperation({ brandId: acme, rowId: 'a', ...parts }), sent, isShown, merge)
const texts = (...given: Parameters<typeof notices>) => notices(...given).map(({ text }) => text)
const settled = (parts: Partial<Extract<SendResult, { kind: 'settled' }>>): SendResult => ({
  kind: 'settled',
  rowId: 'a',
  row: undefined,
  overtakenBy: null,
  ...parts,
})
const changed = (rows: (typeof roof)[], overtakenBy: (typeof roof)[] = []): SendResult => ({
  kind: 'changed',
  deleted: new Map(),
  rows,
  overtakenBy,
  deletedBy: null,
  deletedAt: null,
})

describe('a colleague whose value stays', () => {
  test('a notice names the colleague whose value stays, and the record', () => {
    expect(notices({ icon: 'move' }, settled({ overtakenBy: roof, row: roof }))).toEqual([
      { kind: 'overtaken', text: 'Bo moved Roof after you', detail: null, table: 'deals', rowIds: ['a'], by: 'Bo' },
    ])
    expect(texts({ icon: 'edit' }, settled({ overtakenBy: roof }))).toEqual(['Bo changed Roof after you'])
  })

  test('a notice about an undo says that the colleague’s value stays', () => {
    expect(texts({ icon: 'edit', givesWay: true }, settled({ overtakenBy: roof }))).toEqual([
      'Bo changed Roof meanwhile. That stays',
    ])
  })

  test('a notice says "a colleague" or "a record" if this device does not know the name', () => {
    expect(texts({ icon: 'edit' }, settled({ overtakenBy: doorByNobody }))).toEqual([
      'A colleague changed Door after you',
    ])
    const nameless = serverRow({ id: 'c', first_name: null, email: null, phone: null, updated_by: 'bo' })
    expect(texts({ icon: 'edit' }, settled({ overtakenBy: nameless }))).toEqual(['Bo changed a record after you'])
  })

  test('a notice about a change that the user made on another device names the device', () => {
    const byAna = { ...roof, updated_by: 'ana' }
    expect(notices({ icon: 'move' }, settled({ overtakenBy: byAna }))).toMatchObject([
      { text: 'Your other device moved Roof after you', by: null },
    ])
  })

  test('a notice about many records names the colleague only if the same one changed all of them', () => {
    const many = { kind: 'update-all', icon: 'move', rowIds: ['a', 'b'] } as const
    expect(texts(many, changed([roof, slate], [roof, slate]))).toEqual(['Bo moved 2 deals after you'])
    expect(notices(many, changed([roof, wallByZoe], [roof, wallByZoe]))).toMatchObject([
      { text: 'Colleagues moved 2 deals after you', by: null, rowIds: ['a', 'c'] },
    ])
  })
})

describe('an edit of many records', () => {
  const many = { kind: 'update-all', title: 'Owner of 2 deals', rowIds: ['a', 'b'] } as const

  test('an edit of many records that was written to all of them causes no notice', () => {
    expect(notices(many, changed([roof, slate]))).toEqual([])
    expect(notices({ kind: 'update-all' }, changed([roof]))).toEqual([])
  })

  test('an edit of many records needs attention if one of them was deleted, unless the screen that made the edit shows it', () => {
    expect(notices(many, changed([roof]))).toEqual([
      {
        kind: 'attention',
        text: 'Needs attention',
        detail: 'Owner of 2 deals: the record was deleted meanwhile.',
        table: 'deals',
        rowIds: ['a', 'b'],
        by: null,
      },
    ])
    expect(notices(many, changed([roof]), true)).toEqual([])
    expect(texts(many, changed([roof], [roof]))).toEqual(['Bo moved Roof after you', 'Needs attention'])
    expect(texts(many, changed([roof], [roof]), true)).toEqual(['Bo moved Roof after you'])
  })
})

describe('a delete', () => {
  const removed = (rows: (typeof roof)[]): SendResult => ({
    kind: 'deleted-here',
    rows: [],
    deleted: new Map(),
    changedBefore: rows,
  })

  test('a delete of a record that a colleague had just changed causes a notice', () => {
    expect(notices({ kind: 'delete' }, removed([roof]))).toMatchObject([
      { kind: 'deleted-here', text: 'Bo changed Roof before you deleted it' },
    ])
    expect(texts({ kind: 'delete' }, removed([roof, wallByZoe]))).toEqual([
      'Colleagues changed 2 deals before you deleted them',
    ])
  })

  test('a delete that is an undo and gives way to a colleague causes a notice; rows that were already gone cause none', () => {
    const undo = { kind: 'delete', icon: 'delete', givesWay: true, rowIds: ['a', 'b'] } as const
    expect(texts(undo, changed([roof], [roof]))).toEqual(['Bo changed Roof meanwhile. That stays'])
  })

  test('a delete of records that nobody else had changed causes no notice', () => {
    expect(notices({ kind: 'delete' }, removed([]))).toEqual([])
  })
})

describe('an operation that needs attention', () => {
  test('a notice about an operation in conflict asks which value is right', () => {
    const asked = (row: AnyRow, theirsBy: string | null): SendResult => ({
      kind: 'conflict',
      conflicts: [],
      row,
      theirsBy,
      theirsAt: null,
    })
    expect(notices({}, asked(roof, 'bo'))).toMatchObject([
      { kind: 'attention', text: 'Needs attention', detail: 'Bo changed Roof too. Which is right?', rowIds: ['a'] },
    ])
    const unknown = serverRow({ id: 'a', first_name: null, email: null, phone: null })
    expect(notices({}, asked(unknown, 'eve'), true)).toMatchObject([
      { detail: 'A colleague changed it too. Which is right?' },
    ])
    const written = { ...roof, updated_by: 'ana' }
    expect(notices({}, asked(written, null))).toMatchObject([
      { detail: 'A colleague changed Roof too. Which is right?' },
    ])
    expect(notices({}, asked(written, 'ana'))).toMatchObject([
      { detail: 'Your other device changed Roof too. Which is right?' },
    ])
  })

  test('a notice names the record of an operation that needs attention because the record was deleted, unless the screen that made the operation shows it', () => {
    const deleted: SendResult = { kind: 'deleted-elsewhere', deleted: new Map(), by: null, at: null }
    expect(notices({ title: 'Phone of “Owen”' }, deleted)).toMatchObject([
      { text: 'Needs attention', detail: 'Phone of “Owen”: the record was deleted meanwhile.' },
    ])
    expect(notices({}, deleted, true)).toEqual([])
  })

  test('a refused operation causes a notice with its title from the error catalogue, but none if the screen that made the operation shows the error', () => {
    const refused: SendResult = { kind: 'refused', message: 'Too large', code: null }
    expect(notices({ kind: 'insert' }, refused)).toMatchObject([
      { kind: 'attention', text: 'Error creating deal', detail: 'Too large' },
    ])
    expect(notices({ kind: 'insert' }, refused, true)).toEqual([])
  })
})

describe('an added company that already existed', () => {
  const call = { kind: 'call', table: 'companies', rowId: 'new' } as const

  test('an added company that already existed causes a notice', () => {
    expect(notices(call, settled({ rowId: 'b', row: slate }))).toEqual([
      {
        kind: 'merged',
        text: 'Slate already existed',
        detail: 'What you added was merged into it.',
        table: 'companies',
        rowIds: ['b'],
        by: null,
      },
    ])
  })

  test('an added company that already existed causes a notice also if its name is not on this device', () => {
    expect(texts(call, settled({ rowId: 'b', row: serverRow({ id: 'b' }) }))).toEqual(['The company already existed'])
  })

  test('an added company causes no notice if it is new, or gone from the server; a merged contact causes none either', () => {
    expect(notices(call, settled({ rowId: 'new', row: slate }))).toEqual([])
    expect(notices(call, settled({ rowId: 'b' }))).toEqual([])
    expect(notices({ ...call, table: 'contacts' }, settled({ rowId: 'b', row: slate }))).toEqual([])
    expect(notices({ ...call, kind: 'insert' }, settled({ rowId: 'b', row: slate }))).toEqual([])
  })

  test('an added contact that already existed causes a notice if the user has deleted it, or is asked about it', () => {
    const contact = { ...call, table: 'contacts' } as const
    const lea = serverRow({ id: 'lea', first_name: 'Lea', last_name: 'Other', email: 'lea@acme.test' })
    const noticesOfMerge = (merge: MergeEffect) => notices(contact, settled({ rowId: 'lea', row: lea }), false, merge)
    expect(noticesOfMerge({ isDeleteDropped: true, isKeyEdited: false })).toMatchObject([
      {
        kind: 'merged',
        text: 'Lea Other already existed',
        detail: 'What you added was merged into it. It was not deleted.',
      },
    ])
    expect(noticesOfMerge({ isDeleteDropped: false, isKeyEdited: true })).toMatchObject([
      { kind: 'merged', text: 'Lea Other already existed', detail: 'What you added was merged into it.' },
    ])
    expect(noticesOfMerge({ isDeleteDropped: false, isKeyEdited: false })).toEqual([])
  })
})

test('neither an operation that waits to be sent again nor restored rows cause a notice', () => {
  expect(notices({}, { kind: 'wait' })).toEqual([])
  expect(notices({}, { kind: 'restored', rows: [] })).toEqual([])
})
