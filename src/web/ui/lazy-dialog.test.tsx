// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { lazyDialog, lazyFormDialog } from './lazy-dialog.tsx'
import { toast, toastStore } from './toast.ts'

renderInPage()

/** Counts presses, so that a test can see whether its state is kept. */
function Counter({ open }: { open: boolean }) {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {open ? 'open' : 'closed'} {count}
    </button>
  )
}

const show = (Dialog: typeof Counter, open: boolean) => act(async () => reactRoot.render(<Dialog open={open} />))
const press = () => act(() => document.querySelector('button')?.click())
const text = () => document.body.textContent

test('a dialog is loaded when it opens, and has new state each time it opens', async () => {
  const load = vi.fn(async () => Counter)
  const Dialog = lazyDialog(load)
  await show(Dialog, false)
  expect(load).not.toHaveBeenCalled()
  await show(Dialog, true)
  press()
  expect(text()).toBe('open 1')
  await show(Dialog, false)
  expect(text()).toBe('')
  await show(Dialog, true)
  expect(text()).toBe('open 0')
  expect(load).toHaveBeenCalledOnce()
})

test('a form dialog is loaded when it opens, and keeps its state while it is closed', async () => {
  const load = vi.fn(async () => Counter)
  const Dialog = lazyFormDialog(load)
  await show(Dialog, false)
  expect(load).not.toHaveBeenCalled()
  await show(Dialog, true)
  press()
  await show(Dialog, false)
  expect(text()).toBe('closed 1')
  await show(Dialog, true)
  expect(text()).toBe('open 1')
})

test.each([
  ['a dialog', lazyDialog],
  ['a form dialog', lazyFormDialog],
])(
  '%s whose code cannot be loaded says so each time it opens, and is loaded when the network is back',
  async (_, lazy) => {
    let isOffline = true
    const Dialog = lazy(async () => {
      if (isOffline) throw new TypeError('Failed to fetch dynamically imported module')
      return Counter
    })
    for (let opening = 0; opening < 2; opening++) {
      toast.dismiss()
      await show(Dialog, false)
      expect(toastStore.get()).toBeNull()
      await show(Dialog, true)
      expect(toastStore.get()).toMatchObject({
        kind: 'error',
        title: 'Not on this device yet',
        description: 'Open it when online.',
      })
    }
    toast.dismiss()
    isOffline = false
    await act(async () => dispatchEvent(new Event('online')))
    expect(text()).toBe('open 0')
    expect(toastStore.get()).toBeNull()
  },
)
