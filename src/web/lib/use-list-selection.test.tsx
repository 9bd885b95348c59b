// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { type ListSelection, useListSelection } from './use-list-selection.ts'

renderInPage()
const present: { selection: ListSelection | null } = { selection: null }

function List({ total, loaded, listKey }: { total: number; loaded: number; listKey: string }) {
  const selection = useListSelection((index) => (index < loaded ? `id${index}` : undefined), total, listKey)
  useEffect(() => {
    present.selection = selection
  })
  return null
}
const show = (total: number, loaded = total, listKey = 'a') =>
  act(() => reactRoot.render(<List total={total} loaded={loaded} listKey={listKey} />))
const now = () => {
  const { selection } = present
  if (!selection) throw new Error('nothing is rendered')
  return selection
}
const facts = () => [now().count, now().box, now().hasMore, now().everything]

test('the checkbox of a short list selects all rows, and clears the selection when it is pressed again', () => {
  show(3)
  expect(facts()).toEqual([0, 'none', false, false])
  act(() => now().toggle('id1', 1, false))
  expect(facts()).toEqual([1, 'some', false, false])
  act(() => now().toggleAll())
  expect(facts()).toEqual([3, 'all', false, false])
  act(() => now().toggleAll())
  expect(facts()).toEqual([0, 'none', false, false])
})

test('the checkbox of a long list selects the rows on this device, at most 500; a second step selects all rows of the list', () => {
  show(5000, 30)
  act(() => now().toggleAll())
  expect(facts()).toEqual([30, 'some', true, false])
  act(() => now().toggleAll())
  expect(now().count).toBe(0)
  show(5000)
  act(() => now().selectLoaded())
  expect(facts()).toEqual([500, 'some', true, false])
  act(() => now().selectEverything())
  expect(facts()).toEqual([5000, 'all', false, true])
  expect(now().has('never seen')).toBe(true)
  // After one row was deselected, only the other rows that had been selected one by one stay selected.
  act(() => now().toggle('id0', 0, false))
  expect(facts()).toEqual([499, 'some', false, false])
  expect(now().has('never seen')).toBe(false)
})

test('another search clears the selection; an empty list has nothing to select', () => {
  show(3)
  act(() => now().selectEverything())
  show(3, 3, 'b')
  expect(facts()).toEqual([0, 'none', false, false])
  show(0, 0, 'c')
  act(() => now().toggleAll())
  expect(facts()).toEqual([0, 'none', false, false])
})
