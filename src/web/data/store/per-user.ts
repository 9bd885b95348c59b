import { type Device, devicePart } from '#web/data/browser/device.ts'

interface OfUser {
  readonly userId: string
  close(): void
}

/** A database that a device has open for one user at a time. */
export interface PerUser<Database> {
  /** The database of this user, opened once. That of another user is closed. Throws what `make` throws. */
  readonly open: (device: Device, userId: string) => Database
  /** Closes it (sign-out, another user). */
  readonly close: (device: Device) => void
}

/** Keeps the database that `make` opens, until another user's is asked for. */
export function perUser<Database extends OfUser>(
  make: (device: Device, userId: string) => Database,
): PerUser<Database> {
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
