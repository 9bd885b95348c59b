// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { FilterPanel } from './filter-panel.tsx'

renderInPage()

test('Escape closes the filters, unless it belongs to an input method', async () => {
  const { data, device } = await openLoneTab()
  const names = Array.from({ length: 9 }, (_, index) => `Tag ${index}`)
  putRows(data, 'tags', ...names.map((name) => ({ id: name, name, colour: 'blue' })))
  const onClose = vi.fn()
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <FilterPanel table="contacts" filters={{}} onChange={() => {}} anchor={{ current: null }} onClose={onClose} />
      </DeviceContext>,
    ),
  )
  const pressEscape = (init: KeyboardEventInit = {}) => {
    const press = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...init })
    act(() => void document.querySelector('[aria-label="Find a filter"]')?.dispatchEvent(press))
  }
  pressEscape({ isComposing: true })
  expect(onClose).not.toHaveBeenCalled()
  pressEscape()
  expect(onClose).toHaveBeenCalledOnce()
})
