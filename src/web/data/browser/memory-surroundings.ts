import {
  IDBCursor,
  IDBCursorWithValue,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBOpenDBRequest,
  IDBRequest,
  IDBTransaction,
} from 'fake-indexeddb'
import { browserSurroundings } from './browser-surroundings.ts'
import type { Surroundings } from './surroundings.ts'

/** The classes by which the app, and the library `idb`, recognise the objects of a database. */
const classes = {
  IDBCursor,
  IDBCursorWithValue,
  IDBDatabase,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBOpenDBRequest,
  IDBRequest,
  IDBTransaction,
}

/**
 * Returns surroundings for a browser that forbids the app to store anything: the databases are in the memory of this tab. Other tabs have databases
 * of their own, so this tab neither shares locks with them nor sends them messages. Replaces the browser's classes of IndexedDB.
 */
export function memorySurroundings(): Surroundings {
  for (const [name, value] of Object.entries(classes))
    Object.defineProperty(globalThis, name, { value, configurable: true })
  // Without this, the official client would send its session to other tabs.
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: undefined, configurable: true })
  return { ...browserSurroundings(new IDBFactory()), locks: undefined, openChannel: undefined }
}
