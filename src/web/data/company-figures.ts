import { reachable, serverPause } from '#web/data/server/network.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { isAnsweredHere } from '#web/data/query/is-answered-here.ts'
import { logUnlessTemporary } from '#web/data/query/server-source.ts'
import { addAmount, moneyOf, type Sums } from '#web/data/query/sums.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type Source, sourceOfObservable, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { type Money, poundsFirst } from '#web/lib/money.ts'
import { openStageIds } from './deal-stages.ts'

/** The figures on the card of a company: its numbers of contacts and deals, and the value of its open deals. */
export interface CompanyFigures {
  contacts: number
  deals: number
  /** The amounts of its deals in open stages, by currency, pounds first. */
  open: readonly Money[]
}

const zeroFigures: CompanyFigures = { contacts: 0, deals: 0, open: [] }
/** Figures of cards that appear within this time are requested together. */
const gatherMs = 20
const companiesPerRequest = 100

/** Returns the figures of a company. Null while they are not known. */
export function useCompanyFigures(companyId: string): CompanyFigures | null {
  return useView<CompanyFigures | null>(companyFigures, companyId, null)
}

/**
 * Creates the view that `useCompanyFigures` reads. If contacts and deals are complete on this device, the device counts the figures, else the server
 * does.
 */
export function companyFigures(data: BrandData, companyId: string): View<CompanyFigures | null> {
  const [localFigures, server] = [localFiguresOf(data), serverFiguresOf(data)]
  const inner = view<CompanyFigures | null>(
    [sourceOfView(localFigures), sourceOfObservable(data.state), server],
    (previous) => {
      const figures = isCountedHere(data) ? (localFigures.read()?.get(companyId) ?? zeroFigures) : server.of(companyId)
      if (!data.loaded.get() || !figures) return null
      return previous && JSON.stringify(previous) === JSON.stringify(figures) ? previous : figures
    },
  )
  return {
    read: inner.read,
    subscribe: (listener) => {
      const stops = [inner.subscribe(listener), server.follow(companyId)]
      return () => stops.forEach((stop) => stop())
    },
  }
}

function isCountedHere(data: BrandData): boolean {
  return isAnsweredHere(data, { table: 'contacts' }) && isAnsweredHere(data, { table: 'deals' })
}

/** The figures of all companies, counted in one pass for all cards. Null unless contacts and deals are complete on this device. */
const localFiguresOf = perBrand((data) => {
  const { contacts, deals, deal_stages: stages } = data.tables
  const sources = [contacts, deals, stages, sourceOfObservable(data.state), sourceOfObservable(data.loaded)]
  return view<ReadonlyMap<string, CompanyFigures> | null>(sources, () => (isCountedHere(data) ? count(data) : null))
})

function count(data: BrandData): Map<string, CompanyFigures> {
  const openStages = new Set(openStageIds(data))
  const counts = new Map<string, { contacts: number; deals: number; open: Sums }>()
  const countsOf = (id: string) => {
    const counted = counts.get(id) ?? { contacts: 0, deals: 0, open: new Map() }
    counts.set(id, counted)
    return counted
  }
  for (const { company_id: id } of data.tables.contacts.values()) if (id) countsOf(id).contacts += 1
  for (const deal of data.tables.deals.values()) {
    if (!deal.company_id) continue
    const company = countsOf(deal.company_id)
    company.deals += 1
    if (openStages.has(deal.stage_id)) addAmount(company.open, deal.amount_currency, deal.amount, 1)
  }
  return new Map([...counts].map(([id, { open, ...rest }]) => [id, { ...rest, open: moneyOf(open) }]))
}

const serverFiguresOf = perBrand((data) => new ServerFigures(data))

/**
 * The figures from the server. They are requested for the visible cards, and again when a table other than tasks and memberships changes
 * on the server.
 */
class ServerFigures implements Source {
  private readonly known = new Map<string, CompanyFigures>()
  /** The ids of the companies whose figures are up to date or being fetched. */
  private readonly fresh = new Set<string>()
  /** How many visible cards show each company, by company id. */
  private readonly followers = new Map<string, number>()
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private stops: (() => void)[] = []
  private changes = 0
  private isDue = false

  constructor(private readonly data: BrandData) {}

  changeId = (): number => this.changes

  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  of(companyId: string): CompanyFigures | null {
    return this.known.get(companyId) ?? null
  }

  /**
   * Requests the figures of this company. Call it when the card of the company becomes visible, and the returned function when the card is hidden.
   */
  follow(companyId: string): () => void {
    if (this.followers.size === 0) this.listen()
    this.followers.set(companyId, (this.followers.get(companyId) ?? 0) + 1)
    this.fetchSoon()
    return () => {
      const left = (this.followers.get(companyId) ?? 1) - 1
      if (left > 0) this.followers.set(companyId, left)
      else this.followers.delete(companyId)
      if (this.followers.size === 0) for (const stop of this.stops.splice(0)) stop()
    }
  }

  private listen(): void {
    const { data } = this
    // The figures may have changed while no card was visible, so all are requested again.
    this.fresh.clear()
    this.stops = [
      data.onInvalidate((table) => {
        if (table === 'tasks' || table === 'memberships') return
        this.fresh.clear()
        this.fetchSoon()
      }),
      data.state.subscribe(() => this.fetchSoon()),
      reachable(data.device).subscribe(() => this.fetchSoon()),
    ]
  }

  private fetchSoon(wait = gatherMs): void {
    if (this.isDue) return
    this.isDue = true
    this.data.device.clock.setTimeout(() => {
      this.isDue = false
      void this.fetch()
    }, wait)
  }

  private async fetch(): Promise<void> {
    const { data } = this
    await data.stateKnown
    if (isCountedHere(data) || !reachable(data.device).get()) return
    const wanted = [...this.followers.keys()].filter((id) => !this.fresh.has(id)).slice(0, companiesPerRequest)
    if (wanted.length === 0) return
    for (const id of wanted) this.fresh.add(id)
    try {
      const args = { p_brand_id: data.brandId, p_company_ids: wanted }
      const rows = await rpc<(CompanyFigures & { id: string })[]>(data.device, data.userId, 'company_figures', args)
      for (const id of wanted) this.known.set(id, zeroFigures)
      for (const { id, contacts, deals, open } of rows) this.known.set(id, { contacts, deals, open: poundsFirst(open) })
      this.changes += 1
      if (wanted.length === companiesPerRequest) this.fetchSoon()
      for (const listener of Array.from(this.listeners)) listener(true)
    } catch (error) {
      for (const id of wanted) this.fresh.delete(id)
      logUnlessTemporary('The figures of companies could not be fetched.', error)
      const pause = serverPause(data.device)
      if (pause > 0) this.fetchSoon(pause)
    }
  }
}
