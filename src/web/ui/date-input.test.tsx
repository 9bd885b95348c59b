// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DateInput } from './date-input.tsx'
import { Dialog } from './dialog.tsx'

renderInPage()

test("on 'Choose a date', Ctrl+Enter submits the dialog and does not press the button; Enter alone does not submit", () => {
  const onSubmit = vi.fn()
  act(() =>
    reactRoot.render(
      <Dialog open onClose={() => {}} title="New Task" onSubmit={onSubmit}>
        <DateInput aria-label="Due date" text="" onText={() => {}} />
      </Dialog>,
    ),
  )
  const press = (init: KeyboardEventInit) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init })
    act(() => void document.querySelector('[aria-label="Choose a date"]')?.dispatchEvent(event))
    return event
  }
  expect(press({}).defaultPrevented).toBe(false)
  expect(onSubmit).not.toHaveBeenCalled()
  expect(press({ ctrlKey: true }).defaultPrevented).toBe(true)
  expect(onSubmit).toHaveBeenCalledTimes(1)
  press({ metaKey: true })
  expect(onSubmit).toHaveBeenCalledTimes(2)
})
