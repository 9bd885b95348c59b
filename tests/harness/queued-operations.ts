import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue, queue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { acme, ana, type LoneTab, openLoneTab } from './lone-tab.ts'

/** Opens a tab whose queue has these operations of Ana, with the ids 'op 0', 'op 1' and so on. By default, each renames the deal 'roof'. */
export async function openWithOperations(...operations: Partial<Operation>[]): Promise<LoneTab> {
  const tab = await openLoneTab()
  for (const [index, parts] of operations.entries())
    await addToQueue(
      tab.device,
      testOperation({
        userId: ana,
        brandId: acme,
        id: `op ${index}`,
        rowId: 'roof',
        values: { name: 'Mine' },
        base: { name: 'Roof' },
        ...parts,
      }),
    )
  return tab
}

/** Returns the operations in the queue of a tab. */
export function queuedIn({ device }: LoneTab): readonly Operation[] {
  return queue(device).get().operations
}
