import { type Device, devicePart } from '#web/data/browser/device.ts'

interface ClosableDatabase {
  readonly userId: string
  close(): void
}

/** Functions for a database that a device has open for one user at a time. */
export interface UserDatabases<Database> {
  /** Returns the database of this user, opened once. Closes the database of another user. Throws the errors of `make`. */
  readonly open: (device: Device, userId: string) => Database
  /** Closes the database (sign-out, another user). */
  readonly close: (device: Device) => void
}

/** Keeps the database that `make` opens, until the database of another user is requested. */
export function databasePerUser<Database extends ClosableDatabase>(
  make: (device: Device, userId: string) => Database,
): UserDatabases<Database> {
  const opened = devicePart((): { database?: Database | undefined } => ({}))
  const close = (device: Device) => {
    opened(device).database?.close()
    opened(device).database = undefined
  }
  return {
    open(device, userId) {
      const present = opened(device).database
      if (present?.userId === userId) return present
      close(device)
      const database = make(device, userId)
      opened(device).database = database
      return database
    },
    close,
  }
}
