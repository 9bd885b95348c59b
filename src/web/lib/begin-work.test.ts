// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { mayReload } from './missing-parts.ts'
import { beginWork } from './begin-work.ts'

/** Whether the browser would ask for confirmation before the tab is closed. */
function asksBeforeClosing(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

test('while work runs, the page does not reload by itself, and closing the tab needs a confirmation', () => {
  expect([mayReload(), asksBeforeClosing()]).toEqual([true, false])
  const [endFirst, endSecond] = [beginWork(), beginWork()]
  endFirst()
  expect([mayReload(), asksBeforeClosing()]).toEqual([false, true])
  endSecond()
  expect([mayReload(), asksBeforeClosing()]).toEqual([true, false])
})

test('a page with typed text does not reload by itself', () => {
  document.body.innerHTML = '<form><input value="Roof"></form>'
  expect(mayReload()).toBe(false)
  document.body.replaceChildren()
  expect(mayReload()).toBe(true)
})
