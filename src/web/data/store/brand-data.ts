import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import type { Parts } from '#web/data/browser/parts.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import type { BrandState } from './brand-state.ts'
import type { BrandTables, TableDefinitions } from './definition.ts'
import type { lookTables, ShownLook, WriteCount } from './first-look.ts'

/** The data of one brand, as one user sees it, in the memory of this tab. */
export interface BrandData extends BrandTables {
  readonly device: Device
  readonly parts: Parts<BrandData>
  readonly userId: string
  readonly brandId: string
  readonly state: Observable<BrandState>
  /** Resolves when `state` has been read from the local database, or cannot be read. The rows are read later. */
  readonly stateKnown: Promise<void>
  /** Whether the brand's rows have been read from the local database. Also true if they cannot be read. */
  readonly loaded: Observable<boolean>
  /**
   * The table whose list is on the screen ('contacts' or 'companies'), when the rows that this list shows have been read. These rows are read before
   * all other rows. Null until they have been read, and if the screen shows neither list.
   */
  readonly listRead: Observable<string | null>
  /**
   * The first look that is shown while the rows are read. Null if there is no first look, if a change cannot be shown in it, or when the rows have
   * been read.
   */
  readonly firstLook: Observable<ShownLook | null>
  /** Counts the writes to the local database whose rows this tab has in memory. */
  readonly writes: WriteCount
  /**
   * Whether the first pull of this tab has ended, with or without an answer. Also true when another tab has stored the state that its pull
   * received. Until then more rows may arrive soon.
   */
  readonly firstPullEnded: Observable<boolean>
  /** How the tables are searched and ordered. */
  readonly definitions: TableDefinitions
  /**
   * The ids of rows that were deleted on the server, by this device or by another. Each has the version in which the row was deleted or, if
   * that is not known, the version that this device had of the row (0 if it had none). An answer that is older than the deletion must not
   * store these rows again (deletions.ts).
   */
  readonly recentlyDeleted: Map<string, number>
  /** Marks the server's answers about a table as stale. Call it when rows of the table have changed that may not be on this device. */
  invalidate(table: TableName): void
  /** Calls the listener each time `invalidate` is called. Returns the function that unsubscribes. */
  onInvalidate(listener: (table: TableName) => void): () => void
  /** Registers a function that runs when the brand is closed. */
  onClose(stop: () => void): void
  close(): void
}

/** The brand that this tab shows. */
export const openBrand = devicePart(() => observable<BrandData | null>(null))

/** Returns the open brand for a component. Null while no brand is open. */
export function useBrandData(): BrandData | null {
  const device = useDevice()
  return useObservable(openBrand(device))
}

/** Records changes of rows in the first look that is on screen. Removes the first look if it cannot show them. */
export function recordLookChanges(data: BrandData, table: (typeof lookTables)[number], ids: readonly string[]): void {
  if (data.firstLook.get()?.recordChanges(table, ids) === false) data.firstLook.set(null)
}
