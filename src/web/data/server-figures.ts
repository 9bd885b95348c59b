import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete, type StageTotal } from '#web/data/store/brand-state.ts'
import type { DashboardFigures } from '#web/data/store/dashboard-figures.ts'
import type { Money } from '#web/lib/money.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { storeRows, storeState } from '#web/data/store/store-rows.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'

interface BoardAnswer {
  totals: StageTotal[]
  stages: AnyRow[]
  deals: AnyRow[]
  contacts: AnyRow[]
  companies: AnyRow[]
}

interface DashboardAnswer {
  active_deals: number
  close_this_month: number
  pipeline: Money[]
  contacts: number
  contacts_this_week: number
  companies: number
  companies_this_week: number
  open_tasks: number
  overdue: number
  due_this_week: number
  due_today: number
}

const cardsFirst = 20

/**
 * While not every deal is on this device: SQL's totals of the board and the first cards of each column, in one answer, so that an empty
 * device paints before the pull is through; `mine`: of one's own deals. Does nothing where the device can count by itself.
 */
export function askBoard(data: BrandData, mine = false): Promise<void> {
  return once(data, mine ? 'board of mine' : 'board', async () => {
    if (isComplete(data.state.get(), 'deals')) return
    const askedAt = Date.now()
    const answer = await rpc<BoardAnswer>(data.userId, 'board', {
      p_brand_id: data.brandId,
      p_cards: cardsFirst,
      ...(mine && { p_owner_id: data.userId }),
    })
    await Promise.all([
      store(data, 'deal_stages', answer.stages),
      store(data, 'contacts', answer.contacts),
      store(data, 'companies', answer.companies),
    ])
    await store(data, 'deals', answer.deals)
    await storeState(data, {
      ...data.state.get(),
      [mine ? 'boardOfMine' : 'board']: { totals: answer.totals, askedAt },
    })
  })
}

/** While a table is not complete here: SQL's figures of the overview. */
export function askDashboard(data: BrandData): Promise<void> {
  return once(data, 'dashboard', async () => {
    const state = data.state.get()
    if ((['deals', 'tasks', 'contacts', 'companies'] as const).every((table) => isComplete(state, table))) return
    const askedAt = Date.now()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const answer = await rpc<DashboardAnswer>(data.userId, 'dashboard', { p_brand_id: data.brandId, p_time_zone: zone })
    await storeState(data, { ...data.state.get(), dashboard: { figures: figuresOf(answer), askedAt } })
  })
}

const onTheWay = new WeakMap<BrandData, Map<string, Promise<void>>>()

/** One question at a time; an answer that did not come is nothing here: the device goes on with what it has. */
function once(data: BrandData, name: string, ask: () => Promise<void>): Promise<void> {
  const asked = onTheWay.get(data) ?? new Map<string, Promise<void>>()
  onTheWay.set(data, asked)
  const present = asked.get(name)
  if (present) return present
  const made = data.stateKnown
    .then(ask)
    .catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error
      if (!error.isPassing && error.message !== 'NOT_AUTHORIZED')
        console.error(`The ${name} could not be fetched.`, error)
    })
    .finally(() => asked.delete(name))
  asked.set(name, made)
  return made
}

function store(data: BrandData, table: TableName, rows: readonly AnyRow[]): Promise<void> {
  const present = rows.filter((row) => !data.gone.has(row.id))
  return storeRows({ userId: data.userId, brandId: data.brandId, table, rows: present })
}

function figuresOf(answer: DashboardAnswer): DashboardFigures {
  return {
    activeDeals: answer.active_deals,
    closeThisMonth: answer.close_this_month,
    pipeline: answer.pipeline,
    contacts: answer.contacts,
    contactsThisWeek: answer.contacts_this_week,
    companies: answer.companies,
    companiesThisWeek: answer.companies_this_week,
    openTasks: answer.open_tasks,
    overdue: answer.overdue,
    dueThisWeek: answer.due_this_week,
    dueToday: answer.due_today,
  }
}
