// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { toastStore } from '#web/ui/toast.ts'
import { toastAnotherSignedIn } from './toast-another-signed-in.ts'

test('if another person signs in in another tab, the toast that says so is shown when this tab becomes visible', async () => {
  const visibilityState = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const notified = toastAnotherSignedIn('ana@acme.test')
  document.dispatchEvent(new Event('visibilitychange'))
  await Promise.resolve()
  const title = 'Another person has signed in in this browser'
  expect(toastStore.get()?.title).not.toBe(title)
  visibilityState.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await notified
  expect(toastStore.get()).toMatchObject({
    title,
    description: expect.stringContaining('Changes of ana@acme.test that were not sent yet are kept'),
  })
})
