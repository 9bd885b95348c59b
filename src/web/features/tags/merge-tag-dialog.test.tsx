// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openLoneTab, serverRow, untilIdle } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import type { TagCount } from '#web/data/tag-counts.ts'
import { prepareLiveRegions } from '#web/ui/live-region.ts'
import { toast } from '#web/ui/toast.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { MergeTagDialog } from './merge-tag-dialog.tsx'

renderInPage()
afterEach(() => act(() => toast.dismiss()))

const mergeLine = 'POST /rest/v1/rpc/merge_tags'
const tagOf = (id: string, name: string) => serverRow({ id, name, color: 'red' as const, created_by: null })

/** Opens the dialog for the tag 'VIP', and chooses the other tag. `count`: see `MergeTagDialog`. */
async function openDialog(count: TagCount | null | undefined) {
  const tab = await openLoneTab()
  const onClose = vi.fn()
  prepareLiveRegions()
  await act(async () => {
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <MergeTagDialog
          key={crypto.randomUUID()}
          tag={tagOf('vip', 'VIP')}
          others={[tagOf('key', 'Key account')]}
          count={count}
          onClose={onClose}
        />
        <Toaster />
      </DeviceContext>,
    )
    await untilIdle()
  })
  for (const key of ['Enter', 'Home', 'Enter'])
    act(() => {
      document
        .querySelector('[role=combobox]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
  return { ...tab, onClose }
}

const dialogText = () => document.querySelector('[role=dialog]')?.textContent
const toastText = () => document.querySelector('[data-toast]')?.textContent ?? null
const press = (name: string) =>
  act(async () => {
    ;[...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click()
    await untilIdle()
  })

test('the dialog says how many records change, and no number if it is unknown', async () => {
  await openDialog({ id: 'vip', contacts: 1_999, companies: 1, deals: 0 })
  expect(dialogText()).toContain('2,000 records with VIP get the other tag instead, and VIP is deleted.')
  expect(dialogText()).not.toContain('undone')
  await openDialog({ id: 'vip', contacts: 2_000, companies: 1, deals: 0 })
  expect(dialogText()).toContain('and VIP is deleted. This cannot be undone.')
  await openDialog(null)
  expect(dialogText()).toContain('0 records with VIP get the other tag instead, and VIP is deleted.')
  await openDialog(undefined)
  expect(dialogText()).toContain(
    'All records with VIP get the other tag instead, and VIP is deleted. If more than 2,000 records change, this cannot be undone.',
  )
})

test('a merge has Undo only if at most 2,000 records changed, whether their number was known before or not', async () => {
  const { network, onClose } = await openDialog(undefined)
  network.on(mergeLine, () => ({ body: { done: true, count: 500 } }))
  await press('Merge')
  expect(toastText()).toBe('VIP merged into Key accountUndo')
  expect(onClose).toHaveBeenCalledOnce()

  const large = await openDialog(undefined)
  large.network.on(mergeLine, () => ({ body: { done: true, count: 2_001 } }))
  await press('Merge')
  expect(toastText()).toBe('VIP merged into Key account')

  const known = await openDialog({ id: 'vip', contacts: 2_000, companies: 1, deals: 0 })
  known.network.on(mergeLine, () => ({ body: { done: true, count: 1 } }))
  await press('Merge')
  expect(toastText()).toBe('VIP merged into Key account')
})

test('Cancel stops a merge that waits for the network, and says how many records have changed', async () => {
  const { network, onClose } = await openDialog(null)
  network.onEach(mergeLine, { body: { done: false, count: 500 } }, null)
  await press('Merge')
  expect(onClose).not.toHaveBeenCalled()
  await press('Cancel')
  expect(onClose).toHaveBeenCalledOnce()
  expect(toastText()).toBe(
    'Merge stopped500 records already have Key account instead of VIP. Merge the tags again to continue.',
  )
  expect(network.of(mergeLine)).toHaveLength(2)
})

test('Cancel closes the dialog without a merge', async () => {
  const { network, onClose } = await openDialog(null)
  await press('Cancel')
  expect([onClose.mock.calls.length, network.of(mergeLine)]).toEqual([1, []])
})
