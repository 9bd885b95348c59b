import { type Device, devicePart } from '#web/data/browser/device.ts'

interface ClosableDatabase {
  readonly userId: string
  close(): void
}

/** The functions that open and close a database. A device has it open for only one user at a time. */
export interface UserDatabases<Database> {
  /** Returns the database of this user and opens it if needed. Closes the database of another user first. Throws the errors of `make`. */
  readonly open: (device: Device, userId: string) => Database
  /** Closes the open database (after a sign-out, or before another user's is opened). */
  readonly close: (device: Device) => void
}

/**
 * Makes the functions that open and close a user's database. `make` opens it. It stays open until it is closed or the database of another
 * user is requested.
 */
export function databasePerUser<Database extends ClosableDatabase>(
  make: (device: Device, userId: string) => Database,
): UserDatabases<Database> {
  const openState = devicePart((): { database?: Database | undefined } => ({}))
  const close = (device: Device) => {
    openState(device).database?.close()
    openState(device).database = undefined
  }
  return {
    open(device, userId) {
      const current = openState(device).database
      if (current?.userId === userId) return current
      close(device)
      const database = make(device, userId)
      openState(device).database = database
      return database
    },
    close,
  }
}
