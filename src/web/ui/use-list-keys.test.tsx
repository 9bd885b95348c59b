// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { useListKeys } from './use-list-keys.ts'

renderInPage()

type IndexForKey = ReturnType<typeof useListKeys>

const names = ['Sándor', 'Ooko', 'Sian', 'Söderberg', 'Oskar'].map((label) => ({ label }))
const keyEvent = (name: string, timeStamp = 0) => ({ key: name, timeStamp }) as Parameters<IndexForKey>[0]

function listKeys(wrap?: boolean): IndexForKey {
  const results: IndexForKey[] = []
  const Probe = () => {
    results.push(useListKeys(wrap))
    return null
  }
  act(() => reactRoot.render(<Probe />))
  const [indexForKey] = results
  if (!indexForKey) throw new Error('nothing was rendered')
  return indexForKey
}

/** Types letters, each the given number of milliseconds after the previous one, and returns the index after each. */
function indexesAfterTyping(from: number, ...letters: [letter: string, after: number][]): (number | null)[] {
  const indexForKey = listKeys()
  let at: number | null = from
  let timeStamp = 10_000
  return letters.map(([letter, after]) => {
    timeStamp += after
    at = indexForKey(keyEvent(letter, timeStamp), names, at ?? -1)
    return at
  })
}

test('letters typed quickly find the label that begins with all of them, ignoring accents and case', () => {
  expect(indexesAfterTyping(-1, ['S', 0], ['o', 100], ['d', 100])).toEqual([0, 3, 3])
})

test('a letter that is typed again finds the next label that begins with it, and the first label after the last', () => {
  expect(indexesAfterTyping(-1, ['s', 0], ['s', 100], ['s', 100], ['s', 100])).toEqual([0, 2, 3, 0])
})

test('a letter that is typed twice finds a label that begins with the letter twice, if there is one', () => {
  expect(indexesAfterTyping(-1, ['o', 0], ['o', 100], ['k', 100])).toEqual([1, 1, 1])
})

test('a letter after a pause starts a new search of a list; letters without a match do not move the focus and are dropped', () => {
  expect(indexesAfterTyping(-1, ['s', 0], ['o', 501])).toEqual([0, 1])
  expect(indexesAfterTyping(0, ['s', 0], ['x', 100], ['o', 100])).toEqual([2, 2, 4])
})

test('the arrow keys, Home, End, Page Up and Page Down move the focus in the list; with `wrap`, arrow keys move from one end to the other; other keys do nothing', () => {
  const twelveRows = Array.from({ length: 12 }, () => ({ label: 'Row' }))
  const indexesAfterKeys = (wrap: boolean, at: number) =>
    ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp'].map((name) =>
      listKeys(wrap)(keyEvent(name), twelveRows, at),
    )
  expect(indexesAfterKeys(false, 11)).toEqual([11, 10, 0, 11, 11, 1])
  expect(indexesAfterKeys(false, 0)).toEqual([1, 0, 0, 11, 10, 0])
  expect(indexesAfterKeys(true, 11)).toEqual([0, 10, 0, 11, 11, 1])
  expect(indexesAfterKeys(true, -1)).toEqual([0, 11, 0, 11, 9, 0])
  for (const name of ['Enter', 'Tab', ' ']) expect(listKeys()(keyEvent(name), twelveRows, 0)).toBeNull()
  expect(listKeys()({ ...keyEvent('s'), ctrlKey: true }, names, 0)).toBeNull()
})
