import type { QueryRequest } from '#web/data/server/read-queries.ts'
import { partConditions } from '#web/data/list-part.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import type { GrowthBrand } from './growth-data.ts'

/** A query of the app about a brand: SQL with values. */
export interface GrowthQuery {
  name: string
  text: string
  values: readonly unknown[]
}

/** Returns the measured queries, as the app sends them. */
export function growthQueries(brand: GrowthBrand): GrowthQuery[] {
  const readQueries = (name: string, ...queries: QueryRequest[]): GrowthQuery => ({
    name,
    text: 'select public.read_queries($1, $2)',
    values: [brand.id, JSON.stringify(queries)],
  })
  const list = (name: string, query: QueryRequest) =>
    readQueries(name, {
      limit: 30,
      count: true,
      ...((query.search || query.table !== 'tasks') && { most: 1000 }),
      ...query,
    })
  const sums = (where: object): QueryRequest => ({ table: 'deals', where, rows: false, sums: true })
  const count = (table: QueryRequest['table'], where: object = {}): QueryRequest => ({
    table,
    where,
    rows: false,
    count: true,
  })
  const callFunction = (name: string, text: string, ...values: unknown[]): GrowthQuery => ({
    name,
    text: `select public.${text}`,
    values: [brand.id, ...values],
  })
  const columnQueries = (where: object, more: object): QueryRequest[] =>
    brand.stages.map((stage) => ({ table: 'deals', where: { stage_id: stage, ...where }, ...more }))
  /**
   * The cards of a board, and the figures of its columns (number and sum of the deals). With a search, or with a filter other than the owner,
   * the app requests the figures separately.
   */
  const board = (name: string, where: object, search?: string): GrowthQuery[] => {
    const searchPart = search === undefined ? {} : { search }
    const filtersByOwnerOnly = Object.keys(where).every((column) => column === 'owner_id')
    if (filtersByOwnerOnly && search === undefined)
      return [readQueries(name, ...columnQueries(where, { limit: 30, sums: true }))]
    return [
      readQueries(`${name}, cards`, ...columnQueries(where, { limit: 30, ...searchPart })),
      readQueries(`${name}, figures`, ...columnQueries(where, { rows: false, sums: true, ...searchPart })),
    ]
  }
  const openTasks = { status: 'open' }
  const now = new Date()
  const addedThisWeek = partConditions('added-this-week', now)
  const closingThisMonth = partConditions('closing-this-month', now)
  return [
    list('contacts, newest', { table: 'contacts' }),
    list('contacts, by name', { table: 'contacts', order: 'name' }),
    list('contacts, by e-mail', { table: 'contacts', order: 'email' }),
    list('contacts, by company', { table: 'contacts', order: 'company' }),
    list('contacts of a busy owner', { table: 'contacts', where: { owner_id: brand.busyOwner } }),
    list('contacts of a busy owner, by name', {
      table: 'contacts',
      where: { owner_id: brand.busyOwner },
      order: 'name',
    }),
    list('contacts of a rare owner', { table: 'contacts', where: { owner_id: brand.rareOwner } }),
    list('contacts of a rare owner, by name', {
      table: 'contacts',
      where: { owner_id: brand.rareOwner },
      order: 'name',
    }),
    list('contacts of nobody', { table: 'contacts', where: { owner_id: null } }),
    list('contacts of this week', { table: 'contacts', where: addedThisWeek }),
    list('contacts of this week, by name', { table: 'contacts', where: addedThisWeek, order: 'name' }),
    list('contacts with a busy tag', { table: 'contacts', where: { tag_ids: { has: [brand.busyTag] } } }),
    list('contacts with a rare tag', { table: 'contacts', where: { tag_ids: { has: [brand.rareTag] } } }),
    list('contacts with a field', {
      table: 'contacts',
      where: { [customPath(brand.source.contacts)]: ['fair'] },
    }),
    list('contacts without company', { table: 'contacts', where: { company_id: null } }),
    list('contacts of a company', { table: 'contacts', where: { company_id: brand.companies[0] }, order: 'name' }),
    readQueries('contacts, page 100 by skip', { table: 'contacts', limit: 30, skip: 3000 }),
    readQueries('contacts: l, counted', { table: 'contacts', search: 'l', limit: 30, count: true }),
    list('contacts: l', { table: 'contacts', search: 'l' }),
    list('contacts: an', { table: 'contacts', search: 'an' }),
    list('contacts: anna', { table: 'contacts', search: 'anna' }),
    list('contacts: anna, by name', { table: 'contacts', search: 'anna', order: 'name' }),
    list('contacts: otto, by name', { table: 'contacts', search: 'otto', order: 'name' }),
    list('contacts: otto of a busy owner', {
      table: 'contacts',
      search: 'otto',
      where: { owner_id: brand.busyOwner },
    }),
    list('contacts: zimaka', { table: 'contacts', search: 'zimaka' }),
    list('contacts: zimaka, by name', { table: 'contacts', search: 'zimaka', order: 'name' }),
    list('contacts: anna sch', { table: 'contacts', search: 'anna sch' }),
    list('contacts: p4242@', { table: 'contacts', search: 'p4242@' }),
    list('contacts: nothing', { table: 'contacts', search: 'qqzzxx' }),
    list('contacts: q (one in 5,000)', { table: 'contacts', search: 'q' }),
    list('contacts: ж (nobody)', { table: 'contacts', search: 'ж' }),
    list('contacts: vw (nobody)', { table: 'contacts', search: 'vw' }),
    list('contacts: kx', { table: 'contacts', search: 'kx' }),
    readQueries('choice of a contact: an', { table: 'contacts', search: 'an', order: 'name', limit: 30 }),
    list('companies, newest', { table: 'companies' }),
    list('companies, by name', { table: 'companies', order: 'name' }),
    list('companies: l', { table: 'companies', search: 'l' }),
    list('companies: gmbh', { table: 'companies', search: 'gmbh' }),
    readQueries('choice of a deal: re', { table: 'deals', search: 're', order: 'name', limit: 30 }),
    readQueries('deals, closing next', {
      table: 'deals',
      where: { stage_id: brand.openStages, expected_close_date: { not: null } },
      order: 'closing',
      limit: 5,
    }),
    ...board('board', {}),
    ...board('board of a busy owner', { owner_id: brand.busyOwner }),
    ...board('board of a rare owner', { owner_id: brand.rareOwner }),
    ...board('board closing this month', closingThisMonth),
    ...board('board with a busy tag', { tag_ids: { has: [brand.busyTag] } }),
    ...board('board with a field', { [customPath(brand.source.deals)]: ['fair'] }),
    ...board('board: renewal', {}, 'renewal'),
    ...board('board: renewal 77', {}, 'renewal 77'),
    ...board('board: a', {}, 'a'),
    callFunction('board()', 'board($1, 30)'),
    list('tasks, open by due', { table: 'tasks', where: openTasks, order: 'due' }),
    list('tasks overdue', { table: 'tasks', where: { ...openTasks, ...partConditions('overdue', now) }, order: 'due' }),
    list('tasks of a busy person', {
      table: 'tasks',
      where: { ...openTasks, assignee_id: brand.busyOwner },
      order: 'due',
    }),
    readQueries('tasks, completed', { table: 'tasks', where: { status: 'done' }, order: 'completed', limit: 10 }),
    list('tasks: call 4', { table: 'tasks', where: openTasks, search: 'call 4', order: 'due' }),
    readQueries(
      'overview',
      sums({ stage_id: brand.openStages }),
      sums({ stage_id: brand.openStages, ...closingThisMonth }),
      count('contacts'),
      count('contacts', addedThisWeek),
      count('companies'),
      count('companies', addedThisWeek),
      count('tasks', openTasks),
      count('tasks', { ...openTasks, ...partConditions('overdue', now) }),
      count('tasks', { ...openTasks, ...partConditions('due-this-week', now) }),
      count('tasks', { ...openTasks, ...partConditions('due-today', now) }),
    ),
    callFunction('dashboard()', 'dashboard($1)'),
    callFunction('company_figures(24)', 'company_figures($1, $2)', brand.companies),
    callFunction("search_contacts('')", `search_contacts($1, '')`),
    callFunction("pull 'now'", `pull($1, 'now')`),
    callFunction('pull, first 1,000', 'pull($1, null)'),
  ]
}
