// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { FurtherContacts } from './further-contacts.tsx'

renderInPage()

test('Escape ends the choice of a further contact, except while an input method is composing text', async () => {
  const { device } = await openLoneTab()
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <FurtherContacts deal={{ id: 'a', contact_id: null }} />
      </DeviceContext>,
    ),
  )
  act(() => document.querySelector('button')?.click())
  const field = () => document.querySelector('[aria-label="Further contact"]')
  const pressEscape = (init: KeyboardEventInit = {}) =>
    act(() => void field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...init })))
  expect(field()).not.toBeNull()
  pressEscape({ isComposing: true })
  expect(field()).not.toBeNull()
  // The first Escape closes the list of contacts, if the list is open.
  pressEscape()
  pressEscape()
  expect(field()).toBeNull()
})
