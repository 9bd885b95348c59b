import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import type { DashboardFigures } from '#web/data/store/dashboard-figures.ts'
import { calendarOf, Figures } from './figures-of-rows.ts'
import { askDashboard } from './server-figures.ts'
import { addEffects } from '#web/data/query/snapshot-effects.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type Source, sourceOf, type View, view } from '#web/data/query/view.ts'

export type { DashboardFigures }

interface Dashboard {
  ready: boolean
  figures: DashboardFigures | null
}

const noFigures: Dashboard = { ready: false, figures: null }

/** Figures of the active brand: counted here where a table is complete, else the server's last figure plus what waits in the outbox. */
export function useDashboard(): Dashboard {
  return useView(dashboardView, '', noFigures)
}

/** The view behind `useDashboard`. */
export function dashboardView(data: BrandData): View<Dashboard> {
  const { deals, deal_stages, contacts, companies, tasks } = data.tables
  const states = [sourceOf(data.state), sourceOf(data.loaded), sourceOf(data.answered)]
  const figures = view([deals, deal_stages, contacts, companies, tasks, ...states, everyMinute()], () =>
    figuresOf(data),
  )
  return {
    read: figures.read,
    subscribe: (listener) => {
      void askDashboard(data)
      const stopHearing = data.hearStirs(() => void askDashboard(data))
      const stop = figures.subscribe(listener)
      return () => {
        stopHearing()
        stop()
      }
    },
  }
}

const countedHere = ['deals', 'contacts', 'companies', 'tasks'] as const

function figuresOf(data: BrandData): Dashboard {
  const state = data.state.get()
  if (!data.loaded.get()) return noFigures
  const { dashboard } = state
  const whole = countedHere.every((table) => isComplete(state, table))
  if (!whole && !dashboard)
    return data.answered.get() ? { ready: true, figures: countOf(data, countedHere) } : noFigures
  if (whole || !dashboard) return { ready: true, figures: countOf(data, countedHere) }
  // What is complete is counted here, the rest is SQL's figure with the effect of our own changes.
  return { ready: true, figures: mixed(data, dashboard) }
}

function countOf(data: BrandData, tables: readonly (typeof countedHere)[number][]): DashboardFigures {
  const { deals, deal_stages, contacts, companies, tasks } = data.tables
  const figures = new Figures(calendarOf(new Date()))
  if (tables.includes('deals'))
    for (const deal of deals.values()) figures.addDeal(deal, deal_stages.get(deal.stage_id), 1)
  if (tables.includes('contacts')) for (const contact of contacts.values()) figures.addContact(contact, 1)
  if (tables.includes('companies')) for (const company of companies.values()) figures.addCompany(company, 1)
  if (tables.includes('tasks')) for (const task of tasks.values()) figures.addTask(task, 1)
  return figures.result()
}

function mixed(data: BrandData, dashboard: { figures: DashboardFigures; askedAt: number }): DashboardFigures {
  const state = data.state.get()
  const figure = { name: 'dashboard', askedAt: dashboard.askedAt }
  const figures = new Figures(calendarOf(new Date()))
  figures.addFigures(dashboard.figures)
  addEffects(data, 'deals', figure, (deal, times) =>
    figures.addDeal(deal, data.tables.deal_stages.get(deal.stage_id), times),
  )
  addEffects(data, 'contacts', figure, (contact, times) => figures.addContact(contact, times))
  addEffects(data, 'companies', figure, (company, times) => figures.addCompany(company, times))
  addEffects(data, 'tasks', figure, (task, times) => figures.addTask(task, times))
  const counted = countOf(
    data,
    countedHere.filter((table) => isComplete(state, table)),
  )
  const server = figures.result()
  const { activeDeals, closeThisMonth, pipeline } = isComplete(state, 'deals') ? counted : server
  const { contacts, contactsThisWeek } = isComplete(state, 'contacts') ? counted : server
  const { companies, companiesThisWeek } = isComplete(state, 'companies') ? counted : server
  const { openTasks, overdue, dueThisWeek, dueToday } = isComplete(state, 'tasks') ? counted : server
  return {
    activeDeals,
    closeThisMonth,
    pipeline,
    contacts,
    contactsThisWeek,
    companies,
    companiesThisWeek,
    openTasks,
    overdue,
    dueThisWeek,
    dueToday,
  }
}

/** Time alone changes the figures: what was due becomes overdue. */
function everyMinute(): Source {
  return {
    revision: () => Math.floor(Date.now() / 60_000),
    subscribe: (listener) => {
      const timer = setInterval(() => listener(true), 60_000)
      return () => clearInterval(timer)
    },
  }
}
