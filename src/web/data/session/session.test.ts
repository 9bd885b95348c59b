import { IDBFactory } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import { acme, ana, bo, type LoneTab, openLoneTab, storedSession, untilIdle } from '#tests/harness/lone-tab.ts'
import { openDevice } from '#web/data/browser/device.ts'
import type { Surroundings } from '#web/data/browser/surroundings.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { knownUserKey } from '#web/data/server/session-token.ts'
import { linkStorageKey } from '#web/lib/mailed-link.ts'
import { readSession, sessionState, signOut } from './session.ts'
import { signIn } from './sign-in.ts'
import { draftsKey, outboxDatabaseName, pruneUnsent, rowsDatabaseName, wipeUserRows } from './stored-user.ts'
import { unfinishedWipes } from './unfinished-wipe.ts'

/** Opens Ana's tab. The key-value store says that she is signed in, and the client has started, if it can. */
async function openAna(further: Partial<Surroundings> = {}): Promise<LoneTab> {
  const tab = await openLoneTab(further)
  await keyValueStore(tab.device).set(knownUserKey, JSON.stringify({ userId: ana, email: 'ana@acme.test' }))
  await readSession(tab.device)
  await loadClient(tab.device).catch(() => {})
  await untilIdle()
  return tab
}

/** Opens a database like a tab that does not respond: the connection stays open and blocks a deletion. Returns the function that closes it. */
async function holdDatabase({ device }: LoneTab, name: string): Promise<() => void> {
  const request = device.indexedDB.open(name)
  await new Promise((resolve) => request.addEventListener('success', resolve))
  return () => request.result.close()
}

/** Waits for `work` while the time of the tab's clock passes. */
async function whileTimePasses<T>({ clock }: LoneTab, work: Promise<T>): Promise<T> {
  const waited = async (): Promise<'waiting'> => {
    await untilIdle(10)
    return 'waiting'
  }
  while ((await Promise.race([work, waited()])) === 'waiting') clock.advance(1000)
  return work
}

/** Returns the names of a user's databases in the tab's browser. */
async function databasesOf({ device }: LoneTab, userId: string): Promise<(string | undefined)[]> {
  return (await device.indexedDB.databases()).map(({ name }) => name).filter((name) => name?.includes(userId))
}

test('a sign-out that could not wipe a database, because a tab did not respond, is finished at the next start', async () => {
  for (const name of [rowsDatabaseName(ana), outboxDatabaseName(ana)]) {
    const tab = await openAna()
    const release = await holdDatabase(tab, name)
    await whileTimePasses(tab, signOut(tab.device))
    expect(sessionState(tab.device).get().session).toBeNull()
    expect(await unfinishedWipes(tab.device)).toEqual([ana])
    release()
    const nextTab = { ...tab, device: openDevice(tab.device) }
    expect(await whileTimePasses(nextTab, readSession(nextTab.device))).toBeNull()
    expect(await unfinishedWipes(nextTab.device)).toEqual([])
    expect(await databasesOf(nextTab, ana)).toEqual([])
  }
})

test('a sign-out removes the preferences of its user from the device, and no others', async () => {
  const preferences = new Map([
    [`banyan-currency-${ana}-${acme}`, 'EUR'],
    [`banyan-folded-${ana}`, '{}'],
    [`banyan-folded-${bo}`, '{}'],
    ['banyan-theme', 'dark'],
  ])
  // `Object.keys` of a Storage returns the keys of its values.
  const storage = {
    ...Object.fromEntries(preferences),
    removeItem: (key: string) => Reflect.deleteProperty(storage, key),
  }
  vi.stubGlobal('localStorage', storage)
  try {
    const tab = await openAna()
    await whileTimePasses(tab, signOut(tab.device))
    expect(Object.keys(storage)).toEqual([`banyan-folded-${bo}`, 'banyan-theme', 'removeItem'])
  } finally {
    vi.unstubAllGlobals()
  }
})

test('a wipe that was not possible yet does not end the next session of the same user', async () => {
  const tab = await openAna()
  const release = await holdDatabase(tab, rowsDatabaseName(ana))
  await whileTimePasses(tab, signOut(tab.device))
  tab.network.on('POST /auth/v1/token', () => ({ body: storedSession(ana) }))
  expect(await whileTimePasses(tab, signIn(tab.device, 'ana@acme.test', 'correct horse'))).toMatchObject({ ok: true })
  release()
  expect(await unfinishedWipes(tab.device)).toEqual([])
})

test('a sign-out that cannot be finished yet neither delays the start of the next user nor clears that user’s tab', async () => {
  const tab = await openAna()
  await holdDatabase(tab, rowsDatabaseName(ana))
  await whileTimePasses(tab, signOut(tab.device))
  await keyValueStore(tab.device).set(knownUserKey, JSON.stringify({ userId: bo, email: 'bo@acme.test' }))
  const clear = vi.fn()
  const tabStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {}, clear }
  const device = openDevice({ ...tab.device, tabStorage })
  // The tab's clock stands still.
  expect((await readSession(device))?.userId).toBe(bo)
  expect(clear).not.toHaveBeenCalled()
  expect(await unfinishedWipes(device)).toEqual([ana])
})

test('a sign-out that cannot be finished because of an error of the disk does not keep the app from opening', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const deleteDatabase = vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => {
    const request = new EventTarget()
    setImmediate(() => request.dispatchEvent(new Event('error')))
    return request as IDBOpenDBRequest
  })
  try {
    const tab = await openAna()
    await whileTimePasses(tab, signOut(tab.device))
    const device = openDevice(tab.device)
    expect(await readSession(device)).toBeNull()
    expect(await unfinishedWipes(device)).toEqual([ana])
  } finally {
    deleteDatabase.mockRestore()
    warn.mockRestore()
  }
})

test('rows of an earlier user that could not be wiped are wiped at a later start', async () => {
  const tab = await openAna()
  const release = await holdDatabase(tab, rowsDatabaseName(ana))
  await whileTimePasses(tab, wipeUserRows(tab.device, ana))
  release()
  // The deletion that was blocked ended with its tab.
  await untilIdle()
  await holdDatabase(tab, rowsDatabaseName(ana)).then((close) => close())
  await pruneUnsent(tab.device, bo)
  expect(await databasesOf(tab, ana)).toEqual([outboxDatabaseName(ana)])
})

/** Returns the storage of a tab with these values. */
function tabStorageWith(...entries: [string, string][]) {
  const values = new Map(entries)
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
  }
}

test('a tab that missed the sign-out of its user keeps none of that user’s drafts for the next user', async () => {
  const tabStorage = tabStorageWith(['user', ana])
  const tab = await openAna({ tabStorage })
  tabStorage.setItem(draftsKey(ana, acme), '{"notes":{"body":"secret"}}')
  tabStorage.setItem(linkStorageKey, '#token_hash=1')
  // Bo signs in in another tab. This tab learns of it only from its client.
  await keyValueStore(tab.device).set(knownUserKey, JSON.stringify({ userId: bo, email: 'bo@acme.test' }))
  tab.network.on('POST /auth/v1/token', () => ({ body: storedSession(bo) }))
  expect(await whileTimePasses(tab, signIn(tab.device, 'bo@acme.test', 'correct horse'))).toMatchObject({ ok: true })
  expect(sessionState(tab.device).get().session?.userId).toBe(bo)
  expect([...tabStorage.values.keys()]).toEqual([linkStorageKey, 'user'])
})

test('a tab that the browser restores keeps the drafts of its user, and none of them if that user is no longer signed in', async () => {
  const drafts: [string, string] = [draftsKey(ana, acme), '{"notes":{"body":"secret"}}']
  const startWith = async (knownUserId: string | null) => {
    const tabStorage = tabStorageWith(['user', ana], drafts)
    const tab = await openLoneTab()
    if (knownUserId) await keyValueStore(tab.device).set(knownUserKey, JSON.stringify({ userId: knownUserId }))
    const device = openDevice({ ...tab.device, tabStorage })
    await readSession(device)
    return tabStorage.getItem(drafts[0])
  }
  expect(await startWith(ana)).toBe(drafts[1])
  expect(await startWith(bo)).toBeNull()
  expect(await startWith(null)).toBeNull()
})

test('on a full disk, a sign-out wipes the device, too, even if the code of the client cannot be loaded', async () => {
  const noClient = () => {
    throw new Error('no client')
  }
  const tab = await openAna({ readBackend: noClient })
  const putOnFullDisk = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError')
  })
  try {
    await whileTimePasses(tab, signOut(tab.device))
  } finally {
    putOnFullDisk.mockRestore()
  }
  expect(sessionState(tab.device).get().session).toBeNull()
  expect(await keyValueStore(tab.device).keys()).toEqual([])
  expect(await databasesOf(tab, ana)).toEqual([])
})
