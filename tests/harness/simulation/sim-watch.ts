import type { Device } from '#web/data/browser/device.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { LoggedChange } from './sim-world.ts'

/**
 * Watches the server rows in the memory of a device while it lives. Finds a row that is replaced by an earlier version of itself, even if a
 * later pull brings the newer one back, and a row that vanishes more often than it was deleted on the server.
 */
export class RowWatch {
  /** How many server rows have come into memory. */
  seen = 0
  private readonly older: string[] = []
  /** How often each row has vanished from the memory of one tab, by row id. Each tab has a map of its own. */
  private readonly vanished: Map<string, number>[] = []

  constructor(private readonly name: string) {}

  /** Watches a tab of the device: each brand that it opens. */
  follow(device: Device): void {
    let watched: BrandData | null = null
    openBrand(device).subscribe(() => {
      const data = openBrand(device).get()
      if (!data || data === watched) return
      watched = data
      const vanished = new Map<string, number>()
      this.vanished.push(vanished)
      for (const table of tableNames) this.followTable(data, table, vanished)
    })
  }

  private followTable(data: BrandData, table: (typeof tableNames)[number], vanished: Map<string, number>): void {
    const rows = data.tables[table]
    let present = new Set<string>()
    rows.onServerRows((changes) => {
      this.seen += changes.length
      for (const { id, before, after } of changes)
        if (before && after && after.version < before.version)
          this.older.push(`${this.name}, ${table}, ${id}: version ${after.version} replaced version ${before.version}`)
    })
    rows.subscribe(() => {
      // The rows of a windowed table also leave when a pull from the beginning drops them.
      const isWindowed = data.state.get().tables[table]?.mode === 'windowed'
      for (const id of isWindowed ? [] : present) if (!rows.onServer(id)) vanished.set(id, (vanished.get(id) ?? 0) + 1)
      present = new Set(rows.serverIds())
    })
  }

  /** Returns a sentence for each fault that was seen, given the changes of the brand's rows. */
  faults(changes: readonly LoggedChange[]): string[] {
    const deletions = new Map<string, number>()
    const logged = new Set(changes.map(({ id }) => id))
    for (const { operation, id } of changes) if (operation === 'DELETE') deletions.set(id, (deletions.get(id) ?? 0) + 1)
    const found = [...this.older]
    for (const vanished of this.vanished)
      for (const [id, times] of vanished)
        if (logged.has(id) && times > (deletions.get(id) ?? 0))
          found.push(
            `${this.name}: the row ${id} vanished ${times} times, and was deleted ${deletions.get(id) ?? 0} times`,
          )
    return found
  }
}
