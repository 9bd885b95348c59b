import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { readRows } from '#web/data/server/rest-page.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'

/** Ids of one question: 3.7 kB of address. */
const chunk = 100
const gather = 20

interface Asked {
  ids: Map<TableName, Set<string>>
  known: Set<string>
  timer: ReturnType<typeof setTimeout> | undefined
}

const askedOf = new WeakMap<BrandData, Asked>()

/**
 * A row that another one names (a deal's contact). In a table that is not complete here it may be missing: then it is fetched, together
 * with others that are looked at in the same moment, and the screen renders again when it is here.
 */
export function related<Table extends TableName>(
  data: BrandData,
  table: Table,
  id: string | null,
): TableRows[Table] | undefined {
  if (!id) return undefined
  const row = data.tables[table].get(id)
  if (!row && data.loaded.get() && data.state.get().tables[table]?.mode === 'windowed') ask(data, table, id)
  return row
}

/** Whether every related row can be expected to be here, so that a search over them is whole. */
export function hasAllRelated(data: BrandData): boolean {
  const state = data.state.get()
  return isComplete(state, 'deals') && isComplete(state, 'contacts') && isComplete(state, 'companies')
}

function ask(data: BrandData, table: TableName, id: string): void {
  const asked = askedOf.get(data) ?? {
    ids: new Map<TableName, Set<string>>(),
    known: new Set<string>(),
    timer: undefined,
  }
  askedOf.set(data, asked)
  if (asked.known.has(id)) return
  asked.known.add(id)
  const ids = asked.ids.get(table) ?? new Set<string>()
  asked.ids.set(table, ids.add(id))
  asked.timer ??= setTimeout(() => {
    asked.timer = undefined
    void fetchAll(data, asked)
  }, gather)
}

async function fetchAll(data: BrandData, asked: Asked): Promise<void> {
  const wanted = [...asked.ids]
  asked.ids.clear()
  for (const [table, set] of wanted) {
    const ids = [...set]
    for (let start = 0; start < ids.length; start += chunk) {
      const some = ids.slice(start, start + chunk)
      try {
        const rows = await readRows(data.userId, data.brandId, table, some)
        const present = rows.filter((row) => !data.gone.has(row.id))
        await storeRows({ userId: data.userId, brandId: data.brandId, table, rows: present })
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        // Asked again when it is looked at after a while.
        setTimeout(() => some.forEach((id) => asked.known.delete(id)), 5000)
      }
    }
  }
}
