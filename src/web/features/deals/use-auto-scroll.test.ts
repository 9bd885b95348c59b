import { expect, test } from 'vitest'
import { isNearEdge } from './use-auto-scroll.ts'

/** A board from 200 to 1200 px in the window. It is scrolled by `scrollLeft` px; 500 px is the maximum. */
function boardAt(scrollLeft: number): Element {
  const box = { left: 200, right: 1200, width: 1000 } as DOMRect
  return { scrollLeft, scrollWidth: 1500, clientWidth: 1000, getBoundingClientRect: () => box } as Element
}

test('a pointer is near an edge within 12 % of the width of the board, and beyond the edge', () => {
  const nearEdge = [100, 320, 321, 700, 1079, 1080, 1300].filter((x) => isNearEdge(boardAt(250), x))
  expect(nearEdge).toEqual([100, 320, 1080, 1300])
})

test('a position is not near an edge if nothing is hidden beyond this edge', () => {
  expect([isNearEdge(boardAt(0), 210), isNearEdge(boardAt(0), 1190)]).toEqual([false, true])
  expect([isNearEdge(boardAt(500), 210), isNearEdge(boardAt(500), 1190)]).toEqual([true, false])
})

test('an unknown position is near no edge', () => {
  expect(isNearEdge(boardAt(250), null)).toBe(false)
})
