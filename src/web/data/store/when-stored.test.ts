import { expect, test, vi } from 'vitest'
import { acme, ana, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { OutboxDatabase } from './outbox-db.ts'
import { addToQueue, queue } from './queue.ts'
import { testOperation } from './test-operation.ts'
import { whenStored } from './when-stored.ts'

const added = (id: string) => testOperation({ userId: ana, brandId: acme, id, rowId: id, seq: Number.MAX_SAFE_INTEGER })

test('a function runs once, when the operations that were added before are stored; later operations do not delay it', async () => {
  const { device } = await openLoneTab()
  const act = vi.fn()
  const writes = [addToQueue(device, added('a')), addToQueue(device, added('b'))]
  whenStored(device, act)
  writes.push(addToQueue(device, added('c')))
  expect(act).not.toHaveBeenCalled()
  await Promise.all(writes.slice(0, 2))
  expect(act).toHaveBeenCalledOnce()
  await Promise.all(writes)
  await untilIdle()
  expect(act).toHaveBeenCalledOnce()
})

test('a function runs at once if all operations are stored, and when an operation cannot be stored', async () => {
  const { device } = await openLoneTab()
  await addToQueue(device, added('a'))
  const act = vi.fn()
  whenStored(device, act)
  expect(act).toHaveBeenCalledOnce()
  const add = vi.spyOn(OutboxDatabase.prototype, 'add').mockRejectedValue(new Error('no disk'))
  const write = addToQueue(device, added('b')).catch(() => {})
  whenStored(device, act)
  expect(act).toHaveBeenCalledOnce()
  await write
  add.mockRestore()
  expect(act).toHaveBeenCalledTimes(2)
  expect(queue(device).get().operations).toHaveLength(1)
})
