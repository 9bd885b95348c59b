import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { wait } from '#web/data/browser/wait.ts'
import type { BrandData } from './brand-data.ts'
import { localDatabase } from './local-db.ts'

/** Maximum time that a pull waits for the code of other-tabs.ts and the stored state (ms). */
const loadingLimitMs = 3000

/** Loads the code for what other tabs write. It is loaded only when needed, because most visits have only one tab. */
const loadOtherTabs = () => import('./other-tabs.ts')

/**
 * Reads what other tabs write to the local database into the memory of this tab, in the order of their messages. Returns the function that
 * stops this. If the code cannot be loaded, this tab pulls the rows itself.
 */
export function followOtherTabs(data: BrandData): () => void {
  let lastApplied = Promise.resolve()
  return onTabMessage(data.device, (message) => {
    if ('brandId' in message && message.brandId === data.brandId && message.userId === data.userId)
      lastApplied = lastApplied.then(async () => (await loadOtherTabs()).applyTabMessage(data, message)).catch(() => {})
  })
}

/**
 * Takes over the cursor that another tab has stored (`adoptStoredState`), if it differs from the cursor of this tab. If that fails or takes
 * longer than 3 s, this tab goes on from its own cursor.
 */
export async function followStoredCursor(data: BrandData): Promise<void> {
  const follow = async () => {
    const stored = await localDatabase(data.device, data.userId).getState(data.brandId)
    if (stored && stored.cursor !== data.state.get().cursor) await (await loadOtherTabs()).adoptStoredState(data)
  }
  await Promise.race([follow().catch(() => {}), wait(data.device, loadingLimitMs)])
}
