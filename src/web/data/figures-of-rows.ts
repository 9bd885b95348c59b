import type { Company, Contact, Deal, DealStage, Task } from '#web/data/server/rows.ts'
import { isOpenStage } from './deal-stages.ts'
import { addAmount, moneyOf, type Sums } from '#web/data/query/sums.ts'
import type { DashboardFigures } from '#web/data/store/dashboard-figures.ts'

/** The moments that the figures of the overview hang on, in the time zone of this device. */
export interface Calendar {
  now: number
  /** First moments of tomorrow, and of the 7 days that end now. */
  tomorrow: number
  weekAgo: number
  inAWeek: number
  /** YYYY-MM of today. */
  month: string
}

export function calendarOf(now: Date): Calendar {
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime()
  const month = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`
  const week = 7 * 86_400_000
  return { now: now.getTime(), tomorrow, weekAgo: now.getTime() - week, inAWeek: now.getTime() + week, month }
}

/** Figures that rows are added to and taken away from, one at a time: the same code counts a whole table and the effect of one change. */
export class Figures {
  private readonly pipeline: Sums = new Map()
  private readonly counts = {
    activeDeals: 0,
    closeThisMonth: 0,
    contacts: 0,
    contactsThisWeek: 0,
    companies: 0,
    companiesThisWeek: 0,
    openTasks: 0,
    overdue: 0,
    dueThisWeek: 0,
    dueToday: 0,
  }

  constructor(private readonly calendar: Calendar) {}

  /** Starts from figures of SQL. */
  addFigures(figures: Pick<DashboardFigures, 'pipeline'> & Partial<DashboardFigures>): void {
    for (const key of Object.keys(this.counts) as (keyof typeof this.counts)[]) this.counts[key] += figures[key] ?? 0
    for (const { currency, amount } of figures.pipeline) addAmount(this.pipeline, currency, amount, 1)
  }

  addDeal(deal: Deal, stage: DealStage | undefined, times: 1 | -1): void {
    if (!isOpenStage(stage)) return
    this.counts.activeDeals += times
    if (deal.expected_close_date?.startsWith(this.calendar.month)) this.counts.closeThisMonth += times
    addAmount(this.pipeline, deal.amount_currency, deal.amount, times)
  }

  addContact(contact: Contact, times: 1 | -1): void {
    this.counts.contacts += times
    if (Date.parse(contact.created_at) > this.calendar.weekAgo) this.counts.contactsThisWeek += times
  }

  addCompany(company: Company, times: 1 | -1): void {
    this.counts.companies += times
    if (Date.parse(company.created_at) > this.calendar.weekAgo) this.counts.companiesThisWeek += times
  }

  addTask(task: Task, times: 1 | -1): void {
    if (task.status !== 'open') return
    this.counts.openTasks += times
    if (!task.due_at) return
    const { now, tomorrow, inAWeek } = this.calendar
    const due = Date.parse(task.due_at)
    if (due < now) this.counts.overdue += times
    else if (due <= inAWeek) this.counts.dueThisWeek += times
    if (due >= now && due < tomorrow) this.counts.dueToday += times
  }

  result(): DashboardFigures {
    return { ...this.counts, pipeline: moneyOf(this.pipeline) }
  }
}
