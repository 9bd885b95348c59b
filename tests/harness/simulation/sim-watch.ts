import type { Device } from '#web/data/browser/device.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { LoggedChange } from './sim-world.ts'

/**
 * Watches the server rows in the memory of a device while it lives. Finds each row that is replaced by an earlier version of itself, even if a
 * later pull restores the newer version. Finds each row that vanishes more often than its deletions on the server explain.
 */
export class RowWatch {
  private readonly versionErrors: string[] = []
  /** How often each row has vanished from the memory of one tab, by row id. There is a map for each table of each tab. */
  private readonly vanished: { times: Map<string, number>; wasWindowed: boolean }[] = []

  constructor(private readonly name: string) {}

  /** Watches each brand that a tab of the device opens. */
  follow(device: Device): void {
    let watchedData: BrandData | null = null
    openBrand(device).subscribe(() => {
      const data = openBrand(device).get()
      if (!data || data === watchedData) return
      watchedData = data
      for (const table of tableNames) this.followTable(data, table)
    })
  }

  private followTable(data: BrandData, table: (typeof tableNames)[number]): void {
    const rows = data.tables[table]
    const vanished = { times: new Map<string, number>(), wasWindowed: false }
    this.vanished.push(vanished)
    data.state.subscribe(() => {
      vanished.wasWindowed ||= data.state.get().tables[table]?.mode === 'windowed'
    })
    let presentIds = new Set<string>()
    rows.onServerRows((changes) => {
      for (const { id, before, after } of changes)
        if (before && after && after.version < before.version)
          this.versionErrors.push(
            `${this.name}, ${table}, ${id}: version ${after.version} replaced version ${before.version}`,
          )
    })
    rows.subscribe(() => {
      for (const id of presentIds) if (!rows.serverRow(id)) vanished.times.set(id, (vanished.times.get(id) ?? 0) + 1)
      presentIds = new Set(rows.serverIds())
    })
  }

  /** Drops the counts of vanished rows: all rows of a device vanish when its person is removed from the brand. */
  forgiveVanished(): void {
    this.vanished.splice(0)
  }

  /** Returns a sentence for each error that was seen. `changes`: all changes of the brand's rows on the server. */
  errors(changes: readonly LoggedChange[]): string[] {
    const deletions = new Map<string, number>()
    const loggedIds = new Set(changes.map(({ id }) => id))
    for (const { operation, id } of changes) if (operation === 'DELETE') deletions.set(id, (deletions.get(id) ?? 0) + 1)
    const errors = [...this.versionErrors]
    // A table that was windowed is not checked, because a pull from the beginning drops its rows.
    for (const vanished of this.vanished)
      for (const [id, times] of vanished.wasWindowed ? [] : vanished.times)
        if (loggedIds.has(id) && times > maxTimesVanished(deletions.get(id) ?? 0))
          errors.push(
            `${this.name}: the row ${id} vanished ${times} times, and was deleted ${deletions.get(id) ?? 0} times`,
          )
    return errors
  }
}

/**
 * Returns how often a row may vanish that was deleted this number of times. If it was deleted at all, it may vanish once more: a pull that was sent
 * before the device learnt of the deletion may restore the row for a moment, with a version that the device did not know.
 */
function maxTimesVanished(deletions: number): number {
  return deletions === 0 ? 0 : deletions + 1
}
