// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { AppRouter } from '#web/lib/routing/app-router.ts'
import { ScrollMemory } from '#web/lib/routing/scroll-memory.ts'
import { RouterContext } from '#web/lib/routing/use-router.ts'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { toast, toastStore } from '#web/ui/toast.ts'
import { RecordPanel } from './record-panel.tsx'

renderInPage()
afterEach(() => toast.dismiss())

test("an error in a field does not replace the 'Undo' of the record's delete", async () => {
  const { data, device } = await openLoneTab()
  putRows(data, 'deals', { id: 'a', name: 'Depot lighting' })
  const router = new AppRouter(
    { pages: [], notFound: { path: '' } },
    { write: (change) => change(), scroll: new ScrollMemory((path) => path, '#main') },
  )
  const opened = vi.spyOn(router, 'open').mockResolvedValue()
  const check = (text: string) => (text === '' ? 'Enter an amount' : null)
  await act(async () =>
    reactRoot.render(
      <RouterContext value={router}>
        <DeviceContext value={device}>
          <RecordPanel table="deals" id="a">
            {() => <EditText label="Amount" value="" check={check} onSave={() => {}} />}
          </RecordPanel>
        </DeviceContext>
      </RouterContext>,
    ),
  )
  act(() => document.querySelector<HTMLElement>('[data-in-place]')?.click())
  await act(async () => document.querySelector<HTMLElement>('[aria-label=More]')?.click())
  const item = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')].find((each) =>
    each.textContent?.startsWith('Delete deal'),
  )
  await act(async () => item?.click())
  expect(document.querySelector('input')).toBeNull()
  expect(opened).toHaveBeenCalledWith('/crm/deals', { replace: true })
  expect(toastStore.get()).toMatchObject({ title: 'Deal deleted', action: { label: 'Undo' } })
})
