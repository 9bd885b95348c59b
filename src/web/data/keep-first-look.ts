import type { Timer } from '#web/data/browser/surroundings.ts'
import { untilIdle } from '#web/data/browser/until-idle.ts'
import { isAnsweredHere } from '#web/data/query/is-answered-here.ts'
import { localRows } from '#web/data/query/local-rows.ts'
import { queryKey } from '#web/data/query/query.ts'
import { addAmount, type Sums } from '#web/data/query/sums.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { FirstLook, FirstRows } from '#web/data/store/first-look.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { hasWaiting } from '#web/data/store/load-brand-data.ts'
import { isStoringRows } from '#web/data/store/store-rows.ts'
import { columnQuery } from './ask-board.ts'
import { stagesOfPipeline } from './deal-stages.ts'
import { dealsWithTasks } from './deals-with-tasks.ts'

/** Cards per column: as many as a tall screen shows. */
const cardsKept = 20
/** A first look is stored when this time has passed after the last change. */
const restMs = 2000

/** Stores the first look at the board for the next start, whenever the rows on this device have changed, until the brand is closed. */
export function storeFirstLook(data: BrandData): void {
  const { clock } = data.device
  let timer: Timer | undefined
  const keepLater = () => {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(() => {
      if (data.writes.underway > 0) keepLater()
      else keep(data).catch((error: unknown) => console.warn('The first look at the board could not be stored.', error))
    }, restMs)
  }
  const stops = [data.writes.known.subscribe(keepLater), data.loaded.subscribe(keepLater)]
  data.onClose(() => {
    clock.clearTimeout(timer)
    for (const stop of stops) stop()
  })
  keepLater()
}

async function keep(data: BrandData): Promise<void> {
  await untilIdle()
  const writes = data.writes.known.get()
  const look = writes === null ? null : firstLookOf(data)
  if (writes !== null && look) await localDatabase(data.device, data.userId).putLook(data.brandId, writes, look)
}

/** Returns the first look at the board from the rows on this device. Null if rows are missing, or if operations wait to be sent. */
export function firstLookOf(data: BrandData): FirstLook | null {
  const isWhole = (['pipelines', 'deal_stages', 'deals'] as const).every((table) => isAnsweredHere(data, { table }))
  if (!data.loaded.get() || hasWaiting(data) || !isWhole || data.writes.underway > 0 || !isStoringRows(data.device))
    return null
  const { pipelines, deal_stages: stages, memberships, contacts, companies } = data.tables
  const shown = stagesOfPipeline(data, undefined).map(({ id }) => {
    const query = columnQuery(id, '', undefined)
    const rows = localRows(data, query)
    return { key: queryKey(query), rows, first: rows.slice(0, cardsKept) }
  })
  const lists = Object.fromEntries(shown.map(({ key, rows }): [string, FirstRows] => [key, firstRowsOf(rows)]))
  const deals = shown.flatMap(({ first }) => first)
  const named = <Row extends AnyRow>(rows: { get(id: string): Row | undefined }, ids: readonly (string | null)[]) =>
    [...new Set(ids)].flatMap((id) => (id && rows.get(id)) || [])
  const withTask = dealsWithTasks(data).read()
  return {
    rows: {
      pipelines: [...pipelines.values()],
      deal_stages: [...stages.values()],
      memberships: named(memberships, [data.userId, ...deals.map((deal) => deal.owner_id)]),
      contacts: named(
        contacts,
        deals.map((deal) => deal.contact_id),
      ),
      companies: named(
        companies,
        deals.map((deal) => deal.company_id),
      ),
      deals,
    },
    lists,
    withTask: withTask && deals.map(({ id }) => id).filter((id) => withTask.has(id)),
  }
}

function firstRowsOf(rows: readonly { id: string; amount: number; amount_currency: string }[]): FirstRows {
  const sums: Sums = new Map()
  for (const { amount, amount_currency: currency } of rows) addAmount(sums, currency, amount, 1)
  return {
    ids: rows.slice(0, cardsKept).map(({ id }) => id),
    total: rows.length,
    sums: [...sums].map(([currency, { count, hundredths }]) => ({ currency, count, amount: hundredths / 100 })),
  }
}
