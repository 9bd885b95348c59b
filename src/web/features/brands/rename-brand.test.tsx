// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { RenameBrand } from './rename-brand.tsx'

renderInPage()

test('Escape restores the name of the brand, except while an input method is composing text', async () => {
  const { device } = await openLoneTab()
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <RenameBrand brand={{ id: 'acme', slug: 'acme', name: 'Acme', role: 'owner' }} />
      </DeviceContext>,
    ),
  )
  const field = document.querySelector('input')
  act(() => {
    // React notices a new value only if the setter of the prototype has set it.
    Reflect.set(HTMLInputElement.prototype, 'value', '山', field)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const pressEscape = (init: KeyboardEventInit = {}) =>
    act(() => void field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...init })))
  pressEscape({ isComposing: true })
  expect(field?.value).toBe('山')
  pressEscape()
  expect(field?.value).toBe('Acme')
})
