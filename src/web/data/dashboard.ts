import { type Figures, figuresOf } from '#web/data/query/figures-of.ts'
import type { Condition } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import { switchedView, type View, view, viewSource } from '#web/data/query/view.ts'
import type { TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Money } from '#web/lib/money.ts'
import { openStageIds, stagesView } from './deal-stages.ts'

/** The figures of the overview. */
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

/** The view behind `useDashboard`. It is replaced when the stages or the day change. */
export function dashboardView(data: BrandData): View<Dashboard> {
  return switchedView(
    [data.tables.deal_stages, { subscribe: everyMinute }],
    () => `${openStageIds(data).join()} ${new Date().toDateString()}`,
    () => figuresOfDay(data, new Date()),
  )
}

const weekSeconds = 7 * 86_400

function figuresOfDay(data: BrandData, now: Date): View<Dashboard> {
  const count = (table: TableName, where: Record<string, Condition> = {}) => figuresOf(data, { table, where })
  const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
  const active = { stage_id: openStageIds(data) }
  const month = { gte: firstOfMonth(now, 0), lt: firstOfMonth(now, 1) }
  const figures = {
    active: count('deals', active),
    closeThisMonth: count('deals', { ...active, expected_close_date: month }),
    contacts: count('contacts'),
    contactsThisWeek: count('contacts', { created_at: { gt: { now: -weekSeconds } } }),
    companies: count('companies'),
    companiesThisWeek: count('companies', { created_at: { gt: { now: -weekSeconds } } }),
    openTasks: count('tasks', { status: 'open' }),
    overdue: count('tasks', { status: 'open', due_at: { lt: { now: 0 } } }),
    dueThisWeek: count('tasks', { status: 'open', due_at: { gte: { now: 0 }, lte: { now: weekSeconds } } }),
    dueToday: count('tasks', { status: 'open', due_at: { gte: { now: 0 }, lt: midnight(1) } }),
  }
  const stages = stagesView(data)
  const views = Object.values(figures)
  return view<Dashboard>([viewSource(stages), ...views.map(viewSource)], () => {
    if (!stages.read().ready || !views.every((each) => each.read().ready)) return noFigures
    const countOf = (each: View<Figures>) => each.read().count
    return {
      ready: true,
      figures: {
        activeDeals: countOf(figures.active),
        closeThisMonth: countOf(figures.closeThisMonth),
        pipeline: figures.active.read().sums,
        contacts: countOf(figures.contacts),
        contactsThisWeek: countOf(figures.contactsThisWeek),
        companies: countOf(figures.companies),
        companiesThisWeek: countOf(figures.companiesThisWeek),
        openTasks: countOf(figures.openTasks),
        overdue: countOf(figures.overdue),
        dueThisWeek: countOf(figures.dueThisWeek),
        dueToday: countOf(figures.dueToday),
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
