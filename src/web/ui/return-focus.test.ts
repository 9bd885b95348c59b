// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { returnFocus } from './return-focus.ts'

afterEach(() => {
  document.body.replaceChildren()
})

function add(id: string): HTMLElement {
  const button = document.createElement('button')
  button.id = id
  document.body.append(button)
  return button
}

test('the element gets the focus, the others do not', () => {
  const row = add('row')
  returnFocus('row', [add('main')])
  expect(document.activeElement).toBe(row)
})

test('where it is not there, the first that takes it; the element itself as soon as it is drawn', async () => {
  const main = add('main')
  returnFocus('row', [null, main])
  expect(document.activeElement).toBe(main)
  const row = add('row')
  await vi.waitFor(() => expect(document.activeElement).toBe(row), 5000)
})

test('who has gone on meanwhile keeps the focus', async () => {
  const main = add('main')
  returnFocus('row', [main])
  const next = add('next')
  next.focus()
  add('row')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.activeElement).toBe(next)

  returnFocus('other', [main])
  document.dispatchEvent(new Event('keydown'))
  add('other')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(document.activeElement).toBe(main)
})
