// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { undo } from '#web/crm/undo-toasts.ts'
import { toastStore } from '#web/ui/toast.ts'
import { addUndoOfDelete } from './undo-delete.ts'

const restoreLine = 'POST /rest/v1/rpc/restore_moved'

/** Opens a tab in which a stage was just deleted. `pressUndo` presses Ctrl+Z, and returns the title of the toast that it shows. */
async function openAfterDelete() {
  const { device, network } = await openLoneTab()
  network.on('POST /rest/v1/rpc/pull', () => ({
    body: { epoch: 'e', cursor: '1', rows: {}, tombstones: [], complete: true },
  }))
  const undoOfToast = addUndoOfDelete(device, { stageIds: ['won'], pipelineId: null })
  const shownAfter = async (act: () => void) => {
    act()
    await untilIdle()
    return toastStore.get()?.title
  }
  return { network, pressUndo: () => shownAfter(() => undo(device)), pressInToast: () => shownAfter(undoOfToast) }
}

test('Ctrl+Z brings a deleted stage back, once', async () => {
  const { network, pressUndo } = await openAfterDelete()
  network.on(restoreLine, () => ({ body: 1 }))
  expect(await pressUndo()).toBe('Stage brought back')
  expect(network.of(restoreLine)).toMatchObject([{ body: { p_table: 'deal_stages', p_ids: ['won'] } }])
  expect(await pressUndo()).toBe('Nothing to undo')
})

test("after 'Undo' in the toast of a deleted stage, Ctrl+Z does not bring it back again", async () => {
  const { network, pressUndo, pressInToast } = await openAfterDelete()
  network.on(restoreLine, () => ({ body: 1 }))
  expect(await pressInToast()).toBe('Stage brought back')
  expect(await pressUndo()).toBe('Nothing to undo')
  expect(network.of(restoreLine)).toHaveLength(1)
})

test('the undo of a deleted stage that gets no answer can be tried again, but not one that the server refuses', async () => {
  const { network, pressUndo } = await openAfterDelete()
  expect(await pressUndo()).toBe('Undo failed')
  network.on(restoreLine, () => refusalResponse(400, 'P0001'))
  expect(await pressUndo()).toBe('Undo failed')
  expect(await pressUndo()).toBe('Nothing to undo')
})
