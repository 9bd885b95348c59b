// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { type ListSelection, useListSelection } from './use-list-selection.ts'

renderInPage()
const rendered: { selection: ListSelection | null } = { selection: null }

function List({ total, loaded, listKey }: { total: number; loaded: number; listKey: string }) {
  const selection = useListSelection((index) => (index < loaded ? `id${index}` : undefined), total, listKey)
  useEffect(() => {
    rendered.selection = selection
  })
  return null
}
const renderList = (total: number, loaded = total, listKey = 'a') =>
  act(() => reactRoot.render(<List total={total} loaded={loaded} listKey={listKey} />))
const currentSelection = () => {
  const { selection } = rendered
  if (!selection) throw new Error('nothing is rendered')
  return selection
}
const selectionState = () => [
  currentSelection().count,
  currentSelection().box,
  currentSelection().hasMore,
  currentSelection().everything,
]

test('the checkbox of a short list selects all rows, and clears the selection when it is pressed again', () => {
  renderList(3)
  expect(selectionState()).toEqual([0, 'none', false, false])
  act(() => currentSelection().toggle('id1', 1, false))
  expect(selectionState()).toEqual([1, 'some', false, false])
  act(() => currentSelection().toggleAll())
  expect(selectionState()).toEqual([3, 'all', false, false])
  act(() => currentSelection().toggleAll())
  expect(selectionState()).toEqual([0, 'none', false, false])
})

test('the checkbox of a long list selects the rows on this device, at most 500; a second step selects all rows of the list', () => {
  renderList(5000, 30)
  act(() => currentSelection().toggleAll())
  expect(selectionState()).toEqual([30, 'some', true, false])
  act(() => currentSelection().toggleAll())
  expect(currentSelection().count).toBe(0)
  renderList(5000)
  act(() => currentSelection().selectLoaded())
  expect(selectionState()).toEqual([500, 'some', true, false])
  act(() => currentSelection().selectEverything())
  expect(selectionState()).toEqual([5000, 'all', false, true])
  expect(currentSelection().has('never seen')).toBe(true)
  // After one row was deselected, only the other rows that had been selected one by one stay selected.
  act(() => currentSelection().toggle('id0', 0, false))
  expect(selectionState()).toEqual([499, 'some', false, false])
  expect(currentSelection().has('never seen')).toBe(false)
})

test('another search clears the selection; an empty list has nothing to select', () => {
  renderList(3)
  act(() => currentSelection().selectEverything())
  renderList(3, 3, 'b')
  expect(selectionState()).toEqual([0, 'none', false, false])
  renderList(0, 0, 'c')
  act(() => currentSelection().toggleAll())
  expect(selectionState()).toEqual([0, 'none', false, false])
})

test('a range starts at the row that was toggled last, also if rows above it were added or deleted meanwhile', () => {
  let rows = ['a', 'b', 'c', 'd', 'e']
  function Rows() {
    const selection = useListSelection((index) => rows[index], rows.length, 'a')
    useEffect(() => {
      rendered.selection = selection
    })
    return null
  }
  const renderRows = () => act(() => reactRoot.render(<Rows />))
  renderRows()
  act(() => currentSelection().toggle('b', 1, false))
  rows = ['new', ...rows]
  renderRows()
  act(() => currentSelection().toggle('d', 4, true))
  expect([...currentSelection().ids]).toEqual(['b', 'c', 'd'])
  // Without the row where the range would start, only the row itself is toggled.
  rows = ['new', 'a', 'b', 'c', 'e']
  renderRows()
  act(() => currentSelection().toggle('e', 4, true))
  expect([...currentSelection().ids]).toEqual(['b', 'c', 'd', 'e'])
})
