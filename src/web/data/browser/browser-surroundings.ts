import { readConfig } from './config.ts'
import type { Clock, Surroundings } from './surroundings.ts'
import { tabStorage } from '#web/lib/tab-storage.ts'

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
  setInterval: (run, milliseconds) => setInterval(run, milliseconds),
  clearInterval: (timer) => clearInterval(timer),
}

/**
 * Returns the surroundings that the browser provides to this tab, with these databases. Throws if the browser forbids the page to store anything.
 */
export function browserSurroundings(databases: IDBFactory = indexedDB): Surroundings {
  const { locks } = navigator
  return {
    // `fetch` is looked up at each call, because a browser tool may replace it later.
    fetch: (input, init) => fetch(input, init),
    indexedDB: databases,
    locks: locks && { request: async (name, work) => locks.request(name, work) },
    openChannel: () => {
      try {
        return new BroadcastChannel('banyan')
      } catch {
        return undefined
      }
    },
    WebSocket: globalThis.WebSocket,
    clock,
    tabStorage: tabStorage(),
    readBackend: readConfig,
  }
}
