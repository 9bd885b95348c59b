// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { EditText } from './edit-in-place/edit-text.tsx'
import { Panel } from './panel.tsx'

renderInPage()

test('Escape closes the field of a panel, then the panel; Escape that belongs to an input method closes neither', () => {
  const onClose = vi.fn()
  const onSave = vi.fn()
  act(() =>
    reactRoot.render(
      <Panel kind="Contact" contentKey="a" returnTo="" onClose={onClose}>
        <EditText label="Name" value="山" onSave={onSave} />
      </Panel>,
    ),
  )
  const field = () => document.querySelector('input')
  const pressEscape = (init: KeyboardEventInit = {}) =>
    act(() => {
      const press = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...init })
      document.activeElement?.dispatchEvent(press)
    })
  act(() => document.querySelector<HTMLElement>('[data-in-place]')?.click())
  pressEscape({ isComposing: true })
  pressEscape({ keyCode: 229 })
  expect(field()?.value).toBe('山')
  pressEscape()
  expect(field()).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  pressEscape()
  expect(onClose).toHaveBeenCalledOnce()
  expect(onSave).not.toHaveBeenCalled()
})
