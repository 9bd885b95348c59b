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

/** The classes of IndexedDB. They stay defined after a test, because code of the test may still close its database. */
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

/** Creates an empty IndexedDB, like that of a new browser profile. */
export function browserDatabase(): IDBFactory {
  Object.assign(globalThis, classes)
  return new IDBFactory()
}
