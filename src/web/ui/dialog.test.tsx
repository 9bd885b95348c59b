// @vitest-environment happy-dom
import { act, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { Dialog } from './dialog.tsx'
import { Tooltip } from './tooltip.tsx'

renderInPage({ timers: 'fake' })
const callback = vi.fn()
beforeEach(() => {
  callback.mockReset()
})

function Page({ pending = false }: { pending?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" id="opener" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="New Deal" pending={pending} onSubmit={callback}>
        <input id="name" />
      </Dialog>
    </>
  )
}

const dialog = () => document.querySelector('[role=dialog]')
const press = (key: string, init: KeyboardEventInit = {}) =>
  act(() => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
    )
  })

function open(pending = false) {
  act(() => reactRoot.render(<Page pending={pending} />))
  const opener = document.getElementById('opener') as HTMLElement
  opener.focus()
  act(() => opener.click())
}

test('the page behind the dialog is inert, and the first field has the focus', () => {
  open()
  expect(document.getElementById('root')?.hasAttribute('inert')).toBe(true)
  expect(document.activeElement?.id).toBe('name')
  const title = document.getElementById(dialog()?.getAttribute('aria-labelledby') ?? '')
  expect(title?.textContent).toBe('New Deal')
})

test('Escape closes the dialog, the focus returns, and the page is no longer inert', () => {
  open()
  press('Escape')
  expect(document.getElementById('root')?.hasAttribute('inert')).toBe(false)
  expect(document.activeElement?.id).toBe('opener')
  act(() => void vi.advanceTimersByTime(200))
  expect(dialog()).toBeNull()
})

test('Escape that belongs to an input method does not close the dialog', () => {
  open()
  press('Escape', { isComposing: true })
  act(() => void vi.advanceTimersByTime(200))
  expect(dialog()).not.toBeNull()
})

test('the dialog does not close while it is pending', () => {
  open(true)
  press('Escape')
  act(() => document.querySelector<HTMLElement>('[aria-label=Close]')?.click())
  act(() => void vi.advanceTimersByTime(200))
  expect(dialog()).not.toBeNull()
})

test('Ctrl with Enter submits from any field, but not while the dialog is pending', () => {
  open()
  press('Enter', { ctrlKey: true })
  expect(callback).toHaveBeenCalledOnce()
  act(() => reactRoot.render(<Page pending />))
  press('Enter', { ctrlKey: true })
  expect(callback).toHaveBeenCalledOnce()
})

test('the first Escape closes a tooltip inside the dialog, and the second one closes the dialog', () => {
  act(() =>
    reactRoot.render(
      <Dialog open onClose={callback} title="New Deal">
        <Tooltip text="Show password">
          <input id="name" />
        </Tooltip>
      </Dialog>,
    ),
  )
  const tooltip = () => document.querySelector('[popover]')
  const pointerOver = new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' })
  act(() => void document.getElementById('name')?.dispatchEvent(pointerOver))
  act(() => void vi.advanceTimersByTime(600))
  expect(tooltip()?.textContent).toBe('Show password')
  press('Escape')
  expect(tooltip()).toBeNull()
  expect(callback).not.toHaveBeenCalled()
  press('Escape')
  expect(callback).toHaveBeenCalledOnce()
})

test('if the focused button is removed from the dialog, the dialog has the focus, and Escape closes it', async () => {
  function Lines() {
    const [lines, setLines] = useState(['Restore', 'Discard'])
    return (
      <Dialog open={lines.length > 0} onClose={() => setLines([])} title="Needs attention">
        {lines.map((line) => (
          <button key={line} type="button" id={line} onClick={() => setLines(lines.filter((each) => each !== line))}>
            {line}
          </button>
        ))}
      </Dialog>
    )
  }
  act(() => reactRoot.render(<Lines />))
  document.getElementById('Restore')?.focus()
  await act(async () => document.getElementById('Restore')?.click())
  expect(document.getElementById('Restore')).toBeNull()
  await vi.waitFor(() => expect(document.activeElement).toBe(dialog()))
  press('Escape')
  act(() => void vi.advanceTimersByTime(200))
  expect(dialog()).toBeNull()
})

test('screen readers skip the whole hint “Esc cancel”, and not the buttons beside it', () => {
  act(() =>
    reactRoot.render(
      <Dialog open onClose={callback} title="New Deal" footer={<button type="submit">Save</button>} keepsDraft />,
    ),
  )
  const footer = document.querySelector('footer')
  expect(footer?.textContent).toBe('Esc cancelYour draft is keptSave')
  for (const hidden of footer?.querySelectorAll('[aria-hidden=true]') ?? []) hidden.remove()
  expect(footer?.textContent).toBe('Your draft is keptSave')
})
