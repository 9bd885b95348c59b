// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { acme, ana, openLoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { useUnsentWarning } from './use-unsent-warning.ts'

renderInPage()

/** Opens a tab with a component that uses the warning for one brand, or for all brands. */
async function openTab(brandId?: string) {
  const { device } = await openLoneTab()
  const checks: (() => Promise<boolean>)[] = []
  function Question() {
    const { warning, sendAndCheck } = useUnsentWarning(brandId === undefined ? undefined : () => brandId)
    return (
      <button type="button" onClick={() => checks.push(sendAndCheck)}>
        {warning}
      </button>
    )
  }
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <Question />
      </DeviceContext>,
    ),
  )
  const button = document.querySelector('button') ?? expect.fail('no button')
  return {
    add: (parts: Partial<Operation>) =>
      addToQueue(device, testOperation({ userId: ana, brandId: acme, state: 'failed', ...parts })),
    remove: (id: string) => updateQueue(device, ana, [id], []),
    warning: () => button.textContent,
    check: () => {
      act(() => button.click())
      return act(async () => checks.at(-1)?.())
    },
  }
}

test('an action that would discard changes of a brand first warns how many, and is allowed when the person repeats it', async () => {
  const { add, check, warning } = await openTab(acme)
  expect([await check(), warning()]).toEqual([true, ''])
  await add({ id: 'other', brandId: ana })
  expect([await check(), warning()]).toEqual([true, ''])
  await add({ id: 'a' })
  expect([await check(), warning()]).toEqual([false, '1 change could not be sent and will be lost.'])
  await add({ id: 'b' })
  expect([await check(), warning()]).toEqual([false, '2 changes could not be sent and will be lost.'])
  expect(await check()).toBe(true)
})

test('without a brand, the changes of all brands count, until they are sent or discarded', async () => {
  const { add, remove, check, warning } = await openTab()
  await add({ id: 'other', brandId: ana })
  expect([await check(), warning()]).toEqual([false, '1 change could not be sent and will be lost.'])
  await remove('other')
  expect([await check(), warning()]).toEqual([true, ''])
})
