// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { useShortcut } from './shortcuts.ts'

renderInPage()

const run = vi.fn()

function Page({ hasField }: { hasField: boolean }) {
  useShortcut('n', run)
  return hasField && <textarea />
}

/** Renders the page with a text field, types these keys into it, and then removes the field. */
function typeAndLoseField(...keys: string[]): void {
  run.mockReset()
  act(() => reactRoot.render(<Page hasField />))
  const field = document.querySelector('textarea')
  field?.focus()
  for (const key of keys) press(key, 1000)
  expect(run).not.toHaveBeenCalled()
  act(() => reactRoot.render(<Page hasField={false} />))
}

/** Presses a key at this time (ms). */
function press(key: string, time: number): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: time })
  document.activeElement?.dispatchEvent(event)
}

test('if a text field is removed while the person types, the next keys are no shortcuts until the person pauses', () => {
  typeAndLoseField('o', 'n')
  press('n', 2400)
  press('n', 3800)
  expect(run).not.toHaveBeenCalled()
  press('n', 5400)
  expect(run).toHaveBeenCalledOnce()
  press('n', 5500)
  expect(run).toHaveBeenCalledTimes(2)
})

test('a shortcut works at once while a text field stays on the page without the focus', () => {
  run.mockReset()
  act(() => reactRoot.render(<Page hasField />))
  document.querySelector('textarea')?.focus()
  press('o', 1000)
  document.querySelector('textarea')?.blur()
  press('n', 1100)
  expect(run).toHaveBeenCalledOnce()
})

test('a shortcut works at once after Enter or a press of the pointer has closed a text field', () => {
  typeAndLoseField('o', 'Enter')
  press('n', 1100)
  expect(run).toHaveBeenCalledOnce()
  typeAndLoseField('o')
  document.dispatchEvent(new Event('pointerdown'))
  press('n', 1100)
  expect(run).toHaveBeenCalledOnce()
})
