import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Operation } from '#web/data/store/operation.ts'
import { previewOf } from '#web/data/store/preview.ts'
import { valuesToSend, customPath, readField } from '#web/data/store/row-fields.ts'
import { testDeal, testOperation } from '#web/data/store/test-operation.ts'
import { judgeUpdate } from './conflict.ts'
import { rebaseLaterEdits } from './rebase.ts'

type Custom = Record<string, unknown>
type Row = ReturnType<typeof serverRow>

const serverRow = (custom: Custom, version = 3) => ({ ...testDeal({ version }), custom })

/** Applies a patch to a row as the database does (private.merge_custom). */
function rowAfterWrite(row: Row, values: Record<string, unknown>): Row {
  const { custom = {}, ...columns } = valuesToSend(values)
  const merged = { ...row.custom, ...Object(custom) }
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  return { ...row, ...columns, custom: kept, version: row.version + 1 }
}

/** Returns an edit that changes these custom fields of a row. */
function edit(row: Row, patch: Custom, parts: Partial<Operation> = {}): Operation {
  const values = Object.fromEntries(Object.entries(patch).map(([key, value]) => [customPath(key), value]))
  const base = Object.fromEntries(Object.keys(values).map((field) => [field, readField(row, field)]))
  return testOperation({ values, base, version: row.version, ...parts })
}

/** Returns the row on the server after an edit was sent as send.ts sends it. Null if the user has to decide about a conflict. */
function rowAfterSending(row: Row, operation: Operation): Row | null {
  if (operation.version === row.version) return rowAfterWrite(row, operation.values)
  const verdict = judgeUpdate(operation, row)
  if (verdict.kind === 'done') return row
  return verdict.kind === 'resend' ? rowAfterWrite(row, operation.values) : null
}

const keys = ['a', 'b', 'c', 'd']
const anyValue = fc.oneof(
  fc.constantFrom(null, 'x', 'y', 1, 2.5, true, false),
  fc.subarray(['m', 'n'], { minLength: 1 }),
)
const anyCustom = fc.dictionary(
  fc.constantFrom(...keys),
  anyValue.filter((value) => value !== null),
)
const anyPatch = fc.dictionary(fc.constantFrom(...keys), anyValue, { minKeys: 1 })
const mergedCustom = (...parts: Custom[]) =>
  Object.fromEntries(Object.entries(Object.assign({}, ...parts) as Custom).filter(([, value]) => value !== null))

test('two edits of different custom fields, made on one version of a record, are both kept in either order', () => {
  fc.assert(
    fc.property(anyCustom, anyPatch, anyPatch, (start, firstPatch, secondPatch) => {
      fc.pre(Object.keys(firstPatch).every((key) => !(key in secondPatch)))
      const row = serverRow(mergedCustom(start))
      const first = rowAfterSending(row, edit(row, firstPatch))
      const second = rowAfterSending(row, edit(row, secondPatch))
      expect(first && rowAfterSending(first, edit(row, secondPatch))?.custom).toEqual(
        mergedCustom(start, firstPatch, secondPatch),
      )
      expect(second && rowAfterSending(second, edit(row, firstPatch))?.custom).toEqual(
        mergedCustom(start, firstPatch, secondPatch),
      )
    }),
  )
})

test('two edits of the same custom field ask the user about that field alone, unless both set the same value', () => {
  fc.assert(
    fc.property(anyCustom, anyPatch, anyPatch, (start, firstPatch, secondPatch) => {
      const row = serverRow(mergedCustom(start))
      const first = rowAfterWrite(row, edit(row, firstPatch).values)
      const verdict = judgeUpdate(edit(row, secondPatch), first)
      const isDifferent = (a: unknown, b: unknown) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)
      const collisions = Object.keys(secondPatch).filter(
        (key) => isDifferent(first.custom[key], row.custom[key]) && isDifferent(first.custom[key], secondPatch[key]),
      )
      expect(verdict.kind === 'ask' ? verdict.conflicts.map(({ field }) => field) : []).toEqual(
        collisions.map(customPath),
      )
      if (verdict.kind === 'ask') return
      expect(rowAfterSending(first, edit(row, secondPatch))?.custom).toEqual(
        mergedCustom(start, firstPatch, secondPatch),
      )
    }),
  )
})

test('waiting edits of one row are previewed as the server will store them, and each answer rebases the edits that still wait', () => {
  fc.assert(
    fc.property(anyCustom, fc.array(anyPatch, { minLength: 1, maxLength: 5 }), (start, patches) => {
      let server = serverRow(mergedCustom(start))
      let queue: Operation[] = []
      for (const [index, patch] of patches.entries()) {
        const seen = previewOf('deal-1', server, queue) ?? server
        queue.push(edit(seen, patch, { id: `${index}`, seq: index, version: server.version }))
      }
      const expected = mergedCustom(start, ...patches)
      while (true) {
        expect(previewOf('deal-1', server, queue)?.custom ?? {}).toEqual(expected)
        const [operation, ...later] = queue
        if (!operation) break
        const answer = rowAfterSending(server, operation)
        if (!answer) throw new Error('An edit of one person collided with itself.')
        server = answer
        const changed = new Map(rebaseLaterEdits(later, operation, server).map((each) => [each.id, each]))
        queue = later.map((each) => changed.get(each.id) ?? each)
      }
    }),
  )
})

test('an undo gives way to a colleague’s change of the same field, but not of another field', () => {
  const before = serverRow({ a: 'old', b: 'old' })
  const mine = rowAfterWrite(before, edit(before, { a: 'mine' }).values)
  const undo = edit(mine, { a: 'old' }, { givesWay: true })
  expect(judgeUpdate(undo, rowAfterWrite(mine, { 'custom.b': 'theirs' })).kind).toBe('resend')
  expect(judgeUpdate(undo, rowAfterWrite(mine, { 'custom.a': 'theirs' })).kind).toBe('overtaken')
})
