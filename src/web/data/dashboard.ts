import { type Figures, figuresOf } from '#web/data/query/figures-of.ts'
import type { Condition } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import { minuteSource, switchedView, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Money } from '#web/lib/money.ts'
import { openStageIds, stagesView } from './deal-stages.ts'
import { type ListPart, partConditions } from './list-part.ts'

/** The figures of the overview. */
export interface DashboardFigures {
  activeDeals: number
  closeThisMonth: number
  /** Sums by currency, pounds first. */
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
  /** False while a figure is unknown, also while the server counts. */
  ready: boolean
  figures: DashboardFigures | null
}

const noFigures: Dashboard = { ready: false, figures: null }

/** Returns the figures of the active brand. */
export function useDashboard(): Dashboard {
  return useView(dashboardView, '', noFigures)
}

/** Creates the view that `useDashboard` reads. The view inside is created again when the open stages or the day change. */
export function dashboardView(data: BrandData): View<Dashboard> {
  return switchedView(
    [data.tables.deal_stages, minuteSource],
    () => `${openStageIds(data).join()} ${new Date().toDateString()}`,
    () => figuresOfDay(data, new Date()),
  )
}

function figuresOfDay(data: BrandData, now: Date): View<Dashboard> {
  const figuresWhere = (table: TableName, where: Record<string, Condition> = {}) => figuresOf(data, { table, where })
  const part = (name: ListPart) => partConditions(name, now)
  const inOpenStages = { stage_id: openStageIds(data) }
  const openOnly = { status: 'open' }
  const figures = {
    active: figuresWhere('deals', inOpenStages),
    closeThisMonth: figuresWhere('deals', { ...inOpenStages, ...part('closing-this-month') }),
    contacts: figuresWhere('contacts'),
    contactsThisWeek: figuresWhere('contacts', part('added-this-week')),
    companies: figuresWhere('companies'),
    companiesThisWeek: figuresWhere('companies', part('added-this-week')),
    openTasks: figuresWhere('tasks', openOnly),
    overdue: figuresWhere('tasks', { ...openOnly, ...part('overdue') }),
    dueThisWeek: figuresWhere('tasks', { ...openOnly, ...part('due-this-week') }),
    dueToday: figuresWhere('tasks', { ...openOnly, ...part('due-today') }),
  }
  const stages = stagesView(data)
  const views = Object.values(figures)
  return view<Dashboard>([sourceOfView(stages), ...views.map(sourceOfView)], () => {
    const isKnown = (each: View<Figures>) => each.read().ready && !each.read().counting
    if (!stages.read().ready || !views.every(isKnown)) return noFigures
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
