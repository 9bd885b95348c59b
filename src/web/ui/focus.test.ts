// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { giveFocus, returnFocus, tryEachFrame } from './focus.ts'
import { keepFocusInCard, keepFocusInRows, keepFocusInside } from './keep-focus.ts'
import { keepFocusOnRow } from './keep-focus-on-row.ts'

afterEach(() => {
  document.body.replaceChildren()
})

function addButton(id: string): HTMLElement {
  const button = document.createElement('button')
  button.id = id
  document.body.append(button)
  return button
}

test('the requested element gets the focus, and the fallbacks do not', () => {
  const row = addButton('row')
  returnFocus('row', [addButton('main')])
  expect(document.activeElement).toBe(row)
})

test('the first focusable fallback has the focus until the requested element is rendered and gets it', async () => {
  const main = addButton('main')
  returnFocus('row', [null, main])
  expect(document.activeElement).toBe(main)
  const row = addButton('row')
  await vi.waitFor(() => expect(document.activeElement).toBe(row), 5000)
})

test('the focus stays where it is if the person has moved it or pressed a key meanwhile', async () => {
  const main = addButton('main')
  returnFocus('row', [main])
  const next = addButton('next')
  next.focus()
  addButton('row')
  await waitForFocus()
  expect(document.activeElement).toBe(next)

  returnFocus('other', [main])
  document.dispatchEvent(new Event('keydown'))
  addButton('other')
  await waitForFocus()
  expect(document.activeElement).toBe(main)
})

test('giveFocus focuses an element in the page, but not a removed one', () => {
  const button = addButton('button')
  expect(giveFocus(button)).toBe(true)
  button.remove()
  expect(giveFocus(button)).toBe(false)
  expect(giveFocus(null)).toBe(false)
})

test('an attempt is repeated until it succeeds, at most for the given number of frames', async () => {
  let attempts = 0
  expect(await tryEachFrame(() => ++attempts === 3, 5)).toBe(true)
  expect(attempts).toBe(3)
  expect(await tryEachFrame(() => ++attempts < 0, 5)).toBe(false)
  expect(attempts).toBe(8)
})

test('the heading of a card gets the focus when the button that had it is removed', async () => {
  document.body.innerHTML = '<section><h2>Factors</h2><button id="one"></button><button id="two"></button></section>'
  const end = keepFocusInCard(document.querySelector('section'))
  const [firstButton, secondButton] = document.querySelectorAll('button')
  secondButton?.focus()
  firstButton?.remove()
  await waitForFocus()
  expect(document.activeElement).toBe(secondButton)
  secondButton?.remove()
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Factors'))
  end?.()
})

test('the panel does not take the focus that is on its way from a removed field to the next control', async () => {
  document.body.innerHTML = '<main tabindex="-1"><input><button></button></main>'
  const panel = document.querySelector('main') as HTMLElement
  const button = document.querySelector('button')
  const end = keepFocusInside(panel)
  const leaveField = (nextFocus: Element | null) => {
    const field = document.querySelector('input') ?? panel.appendChild(document.createElement('input'))
    field.focus()
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: nextFocus }))
    field.remove()
  }
  leaveField(button)
  await waitForFocus()
  expect(document.activeElement).toBe(document.body)
  // The next control was removed too.
  button?.remove()
  await vi.waitFor(() => expect(document.activeElement).toBe(panel))
  leaveField(null)
  await vi.waitFor(() => expect(document.activeElement).toBe(panel))
  end()
})

function showRows(...indexes: number[]): HTMLElement {
  document.body.innerHTML = `<main>${indexes.map((index) => `<p data-index="${index}"><input id="i${index}"></p>`).join('')}</main><button></button>`
  return document.querySelector('main') as HTMLElement
}

test('the row that replaces a removed one gets the focus; if there is none, the last row', async () => {
  const list = showRows(4, 5, 6)
  const end = keepFocusInRows(list)
  document.getElementById('i5')?.focus()
  list.children[1]?.remove()
  list.children[1]?.setAttribute('data-index', '5')
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('i6'))
  list.children[1]?.remove()
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('i4'))
  end?.()
})

test('the focus of a person who has left the list is not moved', async () => {
  const list = showRows(4, 5)
  const end = keepFocusInRows(list)
  document.getElementById('i5')?.focus()
  document.querySelector('button')?.focus()
  document.querySelector('button')?.blur()
  list.children[1]?.remove()
  await waitForFocus()
  expect(document.activeElement).toBe(document.body)
  end?.()
})

const recordRow = (name: string, index: number) =>
  `<p data-row data-index="${index}"><a data-row-focus href="/" id="${name}"></a><input id="pick-${name}"></p>`

test('the same control of a record keeps the focus if its row gets another element; if the record is gone, the link of the next one gets it', async () => {
  document.body.innerHTML = `<main>${recordRow('a', 0)}${recordRow('b', 1)}</main>`
  const list = document.querySelector('main')
  const end = keepFocusOnRow(list)
  document.getElementById('pick-a')?.focus()
  if (list) list.innerHTML = recordRow('new', 0) + recordRow('a', 1) + recordRow('b', 2)
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('pick-a'))
  if (list) list.innerHTML = recordRow('new', 0) + recordRow('b', 1)
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('b'))
  if (list) list.innerHTML = recordRow('new', 0)
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('new'))
  end?.()
})

test('a row that is not rendered for a moment gets the focus when it is rendered again', async () => {
  document.body.innerHTML = `<main>${recordRow('a', 0)}</main>`
  const list = document.querySelector('main')
  const end = keepFocusOnRow(list)
  document.getElementById('a')?.focus()
  if (list) list.innerHTML = recordRow('far', 70)
  await waitForFocus()
  expect(document.activeElement).toBe(document.body)
  if (list) list.innerHTML = recordRow('a', 0)
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('a'))
  end?.()
})

async function waitForFocus(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
