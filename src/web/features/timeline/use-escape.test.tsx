// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { useEscape } from './use-escape.ts'

renderInPage()

test('Escape ends what is being edited, except while an input method is composing text', () => {
  const end = vi.fn()
  function Note() {
    useEscape(true, end)
    return <textarea />
  }
  act(() => reactRoot.render(<Note />))
  const pressEscape = (init: KeyboardEventInit = {}) => {
    const press = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...init })
    document.querySelector('textarea')?.dispatchEvent(press)
  }
  pressEscape({ isComposing: true })
  pressEscape({ keyCode: 229 })
  expect(end).not.toHaveBeenCalled()
  pressEscape()
  expect(end).toHaveBeenCalledOnce()
})
