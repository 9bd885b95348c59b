// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { EditText } from './edit-text.tsx'

renderInPage()

/** Whether the browser would ask for confirmation before the page is reloaded or closed. */
const asksBeforeClosing = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('while a typed text is not saved, a reload needs a confirmation', () => {
  act(() => reactRoot.render(<EditText label="Phone" value="12" onSave={() => {}} />))
  act(() => document.querySelector('button')?.click())
  const field = document.querySelector('input')
  const type = (text: string) =>
    act(() => {
      // React notices a new value only if the setter of the prototype has set it.
      Reflect.set(HTMLInputElement.prototype, 'value', text, field)
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    })
  expect(asksBeforeClosing()).toBe(false)
  type('123')
  expect(asksBeforeClosing()).toBe(true)
  type('12')
  expect(asksBeforeClosing()).toBe(false)
  type('1234')
  act(() => field?.blur())
  expect(asksBeforeClosing()).toBe(false)
})
