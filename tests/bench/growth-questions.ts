import type { Question } from '#web/data/server/read-queries.ts'
import type { GrowthBrand } from './growth-data.ts'

/** Questions of the app about a brand: SQL with values. */
export interface GrowthQuestion {
  name: string
  text: string
  values: readonly unknown[]
}

const weekAgo = { gt: { now: -604_800 } }
const thisWeek = { gte: { now: 0 }, lte: { now: 604_800 } }

/** What is measured, as the app asks it. */
export function growthQuestions(brand: GrowthBrand): GrowthQuestion[] {
  const ask = (name: string, ...queries: Question[]): GrowthQuestion => ({
    name,
    text: 'select public.read_queries($1, $2)',
    values: [brand.id, JSON.stringify(queries)],
  })
  const list = (name: string, question: Question) =>
    ask(name, { limit: 30, count: true, ...(question.search && { most: 1000 }), ...question })
  const sums = (where: object): Question => ({ table: 'deals', where, rows: false, sums: true })
  const count = (table: Question['table'], where: object = {}): Question => ({ table, where, rows: false, count: true })
  const call = (name: string, text: string, ...values: unknown[]): GrowthQuestion => ({
    name,
    text: `select public.${text}`,
    values: [brand.id, ...values],
  })
  const column = (where: object, more: object = {}): Question[] =>
    brand.stages.map((stage) => ({
      table: 'deals',
      where: { stage_id: stage, ...where },
      limit: 30,
      sums: true,
      ...more,
    }))
  const open = { status: 'open' }
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
    list('contacts of this week', { table: 'contacts', where: { created_at: weekAgo } }),
    list('contacts of this week, by name', { table: 'contacts', where: { created_at: weekAgo }, order: 'name' }),
    list('contacts without company', { table: 'contacts', where: { company_id: null } }),
    list('contacts of a company', { table: 'contacts', where: { company_id: brand.companies[0] }, order: 'name' }),
    ask('contacts, page 100 by skip', { table: 'contacts', limit: 30, skip: 3000 }),
    ask('contacts: l, counted', { table: 'contacts', search: 'l', limit: 30, count: true }),
    list('contacts: l', { table: 'contacts', search: 'l' }),
    list('contacts: an', { table: 'contacts', search: 'an' }),
    list('contacts: anna', { table: 'contacts', search: 'anna' }),
    list('contacts: anna, by name', { table: 'contacts', search: 'anna', order: 'name' }),
    list('contacts: anna sch', { table: 'contacts', search: 'anna sch' }),
    list('contacts: p4242@', { table: 'contacts', search: 'p4242@' }),
    list('contacts: nothing', { table: 'contacts', search: 'qqzzxx' }),
    list('contacts: q', { table: 'contacts', search: 'q' }),
    ask('choice of a contact: an', { table: 'contacts', search: 'an', order: 'name', limit: 30 }),
    list('companies, newest', { table: 'companies' }),
    list('companies, by name', { table: 'companies', order: 'name' }),
    list('companies: l', { table: 'companies', search: 'l' }),
    list('companies: gmbh', { table: 'companies', search: 'gmbh' }),
    ask('choice of a deal: re', { table: 'deals', search: 're', order: 'name', limit: 30 }),
    ask('deals, closing next', {
      table: 'deals',
      where: { stage_id: brand.openStages, expected_close_date: { not: null } },
      order: 'closing',
      limit: 5,
    }),
    ask('board', ...column({})),
    ask('board of a busy owner', ...column({ owner_id: brand.busyOwner })),
    ask('board of a rare owner', ...column({ owner_id: brand.rareOwner })),
    ask('board closing this month', ...column({ expected_close_date: { gte: '2026-11-01', lt: '2026-12-01' } })),
    ask('board: renewal', ...column({}, { search: 'renewal' })),
    ask('board: a', ...column({}, { search: 'a' })),
    call('board()', 'board($1, 30)'),
    list('tasks, open by due', { table: 'tasks', where: open, order: 'due' }),
    list('tasks of a busy person', { table: 'tasks', where: { ...open, assignee_id: brand.busyOwner }, order: 'due' }),
    ask('tasks, completed', { table: 'tasks', where: { status: 'done' }, order: 'completed', limit: 10 }),
    list('tasks: call 4', { table: 'tasks', where: open, search: 'call 4', order: 'due' }),
    ask(
      'overview',
      sums({ stage_id: brand.openStages }),
      sums({ stage_id: brand.openStages, expected_close_date: { gte: '2026-11-01', lt: '2026-12-01' } }),
      count('contacts'),
      count('contacts', { created_at: weekAgo }),
      count('companies'),
      count('companies', { created_at: weekAgo }),
      count('tasks', open),
      count('tasks', { ...open, due_at: { lt: { now: 0 } } }),
      count('tasks', { ...open, due_at: thisWeek }),
    ),
    call('dashboard()', 'dashboard($1)'),
    call('company_figures(24)', 'company_figures($1, $2)', brand.companies),
    call("search_contacts('')", `search_contacts($1, '')`),
    call("pull 'now'", `pull($1, 'now')`),
    call('pull, first 1,000', 'pull($1, null)'),
  ]
}
