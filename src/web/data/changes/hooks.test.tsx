// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { expect, test } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { openBrandData } from '#web/data/store/open-brand-data.ts'
import { addToQueue, closeQueue, openQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { clearCurrentCorrection, currentCorrection, useCorrection } from './correction.ts'
import { type QueueLines, useQueue } from './queue-lines.ts'

renderInPage()

interface Page extends LoneTab {
  /** Renders the page. */
  show: () => void
  /** The values that `useQueue` returned, one for each change. */
  all: QueueLines[]
  shown: () => QueueLines | undefined
}

async function openPage(): Promise<Page> {
  const tab = await openLoneTab()
  const all: QueueLines[] = []
  function List() {
    const lines = useQueue()
    useEffect(() => {
      all.push(lines)
    }, [lines])
    return null
  }
  const show = () =>
    act(() =>
      reactRoot.render(
        <DeviceContext value={tab.device}>
          <List />
        </DeviceContext>,
      ),
    )
  show()
  return { ...tab, show, all, shown: () => all.at(-1) }
}

const operation = (parts: Parameters<typeof testOperation>[0]) =>
  testOperation({ userId: ana, brandId: acme, rowId: 'roof', ...parts })

test('the queue is shown in two parts, waiting edits and edits that need attention, and both are up to date after each change', async () => {
  const { device, shown } = await openPage()
  expect(shown()).toEqual({ isReady: true, attention: [], waiting: [] })
  await act(() => addToQueue(device, operation({ id: 'a' })))
  await act(() => addToQueue(device, operation({ id: 'b', state: 'failed' })))
  expect(shown()?.waiting.map(({ id }) => id)).toEqual(['a'])
  expect(shown()?.attention.map(({ id }) => id)).toEqual(['b'])
  await act(() => updateQueue(device, ana, ['b'], []))
  expect(shown()?.attention).toEqual([])
})

test('the queue is not ready until the outbox has been read', async () => {
  const { device, shown } = await openPage()
  act(() => closeQueue(device))
  expect(shown()).toEqual({ isReady: false, attention: [], waiting: [] })
  await act(() => openQueue(device, ana))
  expect(shown()?.isReady).toBe(true)
})

test('the lines of the queue are computed again only if the queue has changed, or when the names of records become known', async () => {
  const { device, data, all, show, shown } = await openPage()
  putRows(data, 'deals', { id: 'roof', name: 'Roof' })
  await act(() => addToQueue(device, operation({ id: 'a', state: 'failed' })))
  expect(shown()?.attention[0]?.name).toBe('Roof')
  data.close()
  const reopened = openBrandData(device, ana, acme, data.definitions)
  putRows(reopened, 'deals', { id: 'roof', name: 'Ruf' })
  show()
  const before = all.length
  show()
  expect(all).toHaveLength(before)
  reopened.loaded.set(true)
  show()
  expect(all).toHaveLength(before + 1)
  expect(shown()?.attention[0]?.name).toBe('Ruf')
})

test('a form is filled with the refused record of its table and of the open brand, until it is closed', async () => {
  const { device, data } = await openLoneTab()
  const correctedIds: unknown[] = []
  function Form() {
    const correction = useCorrection('deals')
    useEffect(() => {
      correctedIds.push(correction?.rowId ?? null)
    }, [correction])
    return null
  }
  const setCorrection = (brandId: string) => {
    const correction = { brandId, rowId: 'roof', row: {}, companyName: null }
    act(() => currentCorrection(device).set({ deals: correction, tasks: { ...correction, rowId: 'call' } }))
  }
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <Form />
      </DeviceContext>,
    ),
  )
  setCorrection('other')
  setCorrection(acme)
  act(() => clearCurrentCorrection(device))
  setCorrection(acme)
  act(() => data.close())
  expect(correctedIds).toEqual([null, 'roof', null, 'roof', null])
})
