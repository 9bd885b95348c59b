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

/** The classes of IndexedDB. They stay defined after a test, whose leftovers may still close their database. */
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

/** An empty IndexedDB, as of a new browser profile. */
export function browserDatabase(): IDBFactory {
  Object.assign(globalThis, classes)
  return new IDBFactory()
}
