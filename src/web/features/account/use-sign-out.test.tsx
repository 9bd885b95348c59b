// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { OutboxDatabase } from '#web/data/store/outbox-db.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { SignOutButton } from './sign-out-button.tsx'

renderInPage()

test('a sign-out that fails shows an error, and the button works again', async () => {
  const { device } = await openLoneTab()
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <SignOutButton onSignedOut={() => {}} />
        <Toaster />
      </DeviceContext>,
    ),
  )
  const press = () => act(async () => document.querySelector('button')?.click())
  const failureCount = () => logged.mock.calls.filter(([text]) => text === 'Error signing out').length
  try {
    // First the outbox cannot be read. Then the entry with the user cannot be removed from the key-value store.
    const readSequence = vi.spyOn(OutboxDatabase.prototype, 'readSequence').mockRejectedValue(new Error('no disk'))
    await press()
    await vi.waitFor(() => expect(failureCount()).toBe(1))
    readSequence.mockRestore()
    const remove = vi.spyOn(keyValueStore(device), 'remove').mockRejectedValue(new Error('no disk'))
    await press()
    await vi.waitFor(() => expect(failureCount()).toBe(2))
    await act(async () => {})
    expect(document.body.textContent).toContain('Error signing out')
    await press()
    await vi.waitFor(() => expect(failureCount()).toBe(3))
    remove.mockRestore()
  } finally {
    logged.mockRestore()
  }
})
