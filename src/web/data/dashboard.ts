import { type Figures, figuresOf } from '#web/data/query/figures-of.ts'
import type { Condition } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import { switchedView, type View, view, viewSource } from '#web/data/query/view.ts'
import type { TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Money } from '#web/lib/money.ts'
import { openStageIds, stagesView } from './deal-stages.ts'

/** The six figures of the overview and the hints below them. */
export interface DashboardFigures {
  activeDeals: number
  closeThisMonth: number
  /** By currency, pounds first. */
  pipeline: readonly Money[]
  contacts: number
  contactsThisWeek: number
  companies: number
  companiesThisWeek: number
  openTasks: number
  overdue: number
  dueThisWeek: number
  dueToday: number
}

interface Dashboard {
  ready: boolean
  figures: DashboardFigures | null
}

const noFigures: Dashboard = { ready: false, figures: null }

/** Figures of the active brand. */
export function useDashboard(): Dashboard {
  return useView(dashboardView, '', noFigures)
}

/** The view behind `useDashboard`: made anew with the stages and with each day. */
export function dashboardView(data: BrandData): View<Dashboard> {
  return switchedView(
    [data.tables.deal_stages, { subscribe: everyMinute }],
    () => `${openStageIds(data).join()} ${new Date().toDateString()}`,
    () => figuresOfDay(data, new Date()),
  )
}

const week = 7 * 86_400

function figuresOfDay(data: BrandData, now: Date): View<Dashboard> {
  const count = (table: TableName, where: Record<string, Condition> = {}) => figuresOf(data, { table, where })
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
  const active = { stage_id: openStageIds(data) }
  const month = { gte: firstOfMonth(now, 0), lt: firstOfMonth(now, 1) }
  const figures = {
    active: count('deals', active),
    closeThisMonth: count('deals', { ...active, expected_close_date: month }),
    contacts: count('contacts'),
    contactsThisWeek: count('contacts', { created_at: { gt: { now: -week } } }),
    companies: count('companies'),
    companiesThisWeek: count('companies', { created_at: { gt: { now: -week } } }),
    openTasks: count('tasks', { status: 'open' }),
    overdue: count('tasks', { status: 'open', due_at: { lt: { now: 0 } } }),
    dueThisWeek: count('tasks', { status: 'open', due_at: { gte: { now: 0 }, lte: { now: week } } }),
    dueToday: count('tasks', { status: 'open', due_at: { gte: { now: 0 }, lt: midnight(1) } }),
  }
  const stages = stagesView(data)
  const views = Object.values(figures)
  return view<Dashboard>([viewSource(stages), ...views.map(viewSource)], () => {
    if (!stages.read().ready || !views.every((each) => each.read().ready)) return noFigures
    const of = (each: View<Figures>) => each.read().count
    return {
      ready: true,
      figures: {
        activeDeals: of(figures.active),
        closeThisMonth: of(figures.closeThisMonth),
        pipeline: figures.active.read().sums,
        contacts: of(figures.contacts),
        contactsThisWeek: of(figures.contactsThisWeek),
        companies: of(figures.companies),
        companiesThisWeek: of(figures.companiesThisWeek),
        openTasks: of(figures.openTasks),
        overdue: of(figures.overdue),
        dueThisWeek: of(figures.dueThisWeek),
        dueToday: of(figures.dueToday),
      },
    }
  })
}

/** YYYY-MM-DD of the first day of a month, in the time zone of this device; `months` from now. */
function firstOfMonth(now: Date, months: number): string {
  const first = new Date(now.getFullYear(), now.getMonth() + months, 1)
  return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}-01`
}

function everyMinute(listener: (urgent: boolean) => void): () => void {
  const timer = setInterval(() => listener(true), 60_000)
  return () => clearInterval(timer)
}
