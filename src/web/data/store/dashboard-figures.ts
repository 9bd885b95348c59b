import type { Money } from '#web/lib/money.ts'

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
