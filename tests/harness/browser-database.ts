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

/** The classes of IndexedDB. They stay after a test: what it has left behind may still close its database. */
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

/** An IndexedDB of a browser's profile, empty. */
export function browserDatabase(): IDBFactory {
  Object.assign(globalThis, classes)
  return new IDBFactory()
}
