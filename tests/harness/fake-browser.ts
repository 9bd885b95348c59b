import { vi } from 'vitest'
import ws from 'ws'
import { browserDatabase } from './browser-database.ts'
import type { TestServer } from './server.ts'

/** How the network treats the next requests of the fake browser. */
export interface FakeNetwork {
  /** All requests fail. */
  offline: boolean
  /**
   * Decides about one request: 'pass', 'refuse' (it never arrives), 'drop-answer' (the server applies it, the answer is
   * lost), or an answer that replaces the server's.
   */
  judge: (url: string, init: RequestInit) => 'pass' | 'refuse' | 'drop-answer' | Response
  /** The sent requests, by method, path and Idempotency-Key. */
  log: { method: string; path: string; key: string | null }[]
}

/** The data layer of one tab. Each tab has its own modules, like a page in a browser. */
export type Tab = Awaited<ReturnType<typeof openTab>>

export interface FakeBrowser {
  network: FakeNetwork
  openTab(): Promise<Tab>
  close(): void
}

/**
 * The browser environment of the data layer in Node: IndexedDB, Web Locks, tab messages, session storage, and a network
 * that can fail. One at a time in a test file. For another device use the official client of client.ts.
 */
export function fakeBrowser(server: Pick<TestServer, 'url' | 'publishableKey'>): FakeBrowser {
  const network: FakeNetwork = { offline: false, judge: () => 'pass', log: [] }
  vi.stubGlobal('indexedDB', browserDatabase())
  vi.stubGlobal('WebSocket', ws)
  vi.stubGlobal('BANYAN_CONFIG', { url: server.url, publishableKey: server.publishableKey })
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() })
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('fetch', faultyFetch(globalThis.fetch, network))
  const opened: Tab[] = []
  return {
    network,
    openTab: async () => {
      const tab = await openTab()
      opened.push(tab)
      return tab
    },
    close: () => {
      network.offline = true
      for (const tab of opened) tab.sessionState.set({ ready: true, session: null })
      vi.unstubAllGlobals()
    },
  }
}

async function openTab() {
  vi.resetModules()
  const [session, brand, brands, data, queue, engine, schedule, sender, network] = await Promise.all([
    import('#web/data/session/session.ts'),
    import('#web/data/people/active-brand.ts'),
    import('#web/data/people/brands.ts'),
    import('#web/data/store/brand-data.ts'),
    import('#web/data/store/queue.ts'),
    import('#web/data/engine.ts'),
    import('#web/data/sync/pull-schedule.ts'),
    import('#web/data/changes/sender.ts'),
    import('#web/data/server/network.ts'),
  ])
  const nouns = await Promise.all([
    import('#web/data/deals.ts'),
    import('#web/data/contacts.ts'),
    import('#web/data/companies.ts'),
    import('#web/data/tasks.ts'),
    import('#web/data/import-contacts.ts'),
    import('#web/data/sync/sync-status.ts'),
    import('#web/data/board-view.ts'),
    import('#web/data/dashboard.ts'),
    import('#web/data/changes/mutate.ts'),
    import('#web/data/changes/delete-records.ts'),
    import('#web/data/changes/update-record.ts'),
    import('#web/data/query/use-record.ts'),
    import('#web/data/related-records.ts'),
    import('#web/data/query/unlinked.ts'),
    import('#web/data/people/people.ts'),
    import('#web/data/query/list-options.ts'),
    import('#web/data/changes/conflict-words.ts'),
    import('#web/data/changes/settle-queue.ts'),
    import('#web/data/changes/queue-lines.ts'),
    import('#web/data/changes/begin-correction.ts'),
    import('#web/data/query/local-rows.ts'),
    import('#web/data/query/figures-of.ts'),
    import('#web/data/server/read-queries.ts'),
  ])
  const [deals, contacts, companies, tasks, imports, sync, board, dashboard, mutate, ...records] = nouns
  const [
    deleting,
    updating,
    opening,
    linked,
    unlinked,
    people,
    lists,
    words,
    settling,
    lines,
    correcting,
    ...querying
  ] = records
  const [local, figures, reading] = querying
  engine.startEngine()
  return {
    ...session,
    ...brand,
    ...brands,
    ...data,
    ...queue,
    ...schedule,
    ...sender,
    ...network,
    ...deals,
    ...contacts,
    ...companies,
    ...tasks,
    ...imports,
    ...sync,
    ...board,
    ...dashboard,
    ...mutate,
    ...deleting,
    ...updating,
    ...opening,
    ...linked,
    ...unlinked,
    ...people,
    ...lists,
    ...words,
    ...settling,
    ...lines,
    ...correcting,
    ...local,
    ...figures,
    ...reading,
  }
}

function faultyFetch(fetch: typeof globalThis.fetch, network: FakeNetwork): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = String(input instanceof Request ? input.url : input)
    const headers = new Headers(init.headers)
    const verdict = network.offline ? 'refuse' : network.judge(url, init)
    if (verdict === 'refuse') throw new TypeError('fetch failed')
    if (verdict instanceof Response) return verdict
    network.log.push({ method: init.method ?? 'GET', path: new URL(url).pathname, key: headers.get('idempotency-key') })
    const response = await fetch(input, init)
    if (verdict === 'pass') return response
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
}

function fakeLocks() {
  const turns = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, work: () => Promise<unknown>) => {
      const run = (turns.get(name) ?? Promise.resolve()).then(work, work)
      turns.set(
        name,
        run.catch(() => {}),
      )
      return run
    },
  }
}

function fakeStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
  }
}
