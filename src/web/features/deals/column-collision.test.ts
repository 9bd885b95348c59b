import type { ClientRect, DroppableContainer } from '@dnd-kit/core'
import { expect, test } from 'vitest'
import { columnCollision } from './column-collision.ts'

const rect = (left: number, top: number, width: number, height: number): ClientRect => ({
  left,
  top,
  width,
  height,
  right: left + width,
  bottom: top + height,
})
const columns = new Map([
  ['incoming', rect(0, 100, 320, 600)],
  ['qualified', rect(332, 100, 320, 600)],
  ['proposal', rect(664, 100, 320, 600)],
])
const container = (id: string, docked: boolean): DroppableContainer => ({
  id,
  key: id,
  disabled: false,
  node: { current: null },
  rect: { current: null },
  data: { current: { docked } },
})

function columnsUnder(card: ClientRect, pointer: { x: number; y: number } | null, docked: string[] = []): unknown[] {
  return columnCollision({
    active: { id: 'a', data: { current: undefined }, rect: { current: { initial: null, translated: null } } },
    collisionRect: card,
    droppableRects: columns,
    droppableContainers: [...columns.keys()].map((id) => container(id, docked.includes(id))),
    pointerCoordinates: pointer,
  }).map(({ id }) => id)
}

const cardRect = (left: number, top = 150) => rect(left, top, 304, 88)

test('the pointer chooses the column that it is over', () => {
  expect(columnsUnder(cardRect(0), { x: 500, y: 300 })).toEqual(['qualified'])
})

test('a pointer in the gap between two columns chooses the nearer column', () => {
  expect(columnsUnder(cardRect(0), { x: 323, y: 300 })).toEqual(['incoming'])
  expect(columnsUnder(cardRect(0), { x: 330, y: 300 })).toEqual(['qualified'])
})

test('a pointer far above or below the columns is over no column', () => {
  expect(columnsUnder(cardRect(0), { x: 500, y: 20 })).toEqual([])
  expect(columnsUnder(cardRect(0), { x: 500, y: 760 })).toEqual([])
})

test('the middle of the card chooses the column without a pointer, at any height', () => {
  expect(columnsUnder(cardRect(8), null)).toEqual(['incoming'])
  expect(columnsUnder(cardRect(8 + 6 * 25), null)).toEqual(['incoming'])
  expect(columnsUnder(cardRect(8 + 7 * 25), null)).toEqual(['qualified'])
  expect(columnsUnder(cardRect(8 + 7 * 25, 9_000), null)).toEqual(['qualified'])
})

test('the last column stays chosen when the keyboard moves the card beyond it', () => {
  expect(columnsUnder(cardRect(2_000), null)).toEqual(['proposal'])
})

test('a docked column is chosen, not the column that is scrolled behind it; right of all columns, the last docked column is chosen', () => {
  columns.set('won', rect(800, 100, 44, 600)).set('lost', rect(856, 100, 44, 600))
  const docked = ['won', 'lost']
  expect(columnsUnder(cardRect(0), { x: 780, y: 300 }, docked)).toEqual(['proposal'])
  expect(columnsUnder(cardRect(0), { x: 820, y: 300 }, docked)).toEqual(['won'])
  expect(columnsUnder(cardRect(0), { x: 870, y: 300 }, docked)).toEqual(['lost'])
  expect(columnsUnder(cardRect(0), { x: 930, y: 300 }, docked)).toEqual(['lost'])
  expect(columnsUnder(cardRect(690), null, docked)).toEqual(['won'])
})
