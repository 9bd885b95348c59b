import { isObject } from './frames.ts'
import { limits } from './limits.ts'
import type { LiveTable } from './live-tables.ts'
import { type ParsedFilter, parseRowFilter } from './row-filter.ts'

/** One entry of `postgres_changes` in a join; echoed unchanged in the answer. */
export interface Binding {
  event: string
  schema: string
  table: string | undefined
  filter: string | undefined
}

/** A parsed binding. */
export interface Subscription {
  id: number
  binding: Binding
  /** The oids of its tables. */
  tables: ReadonlySet<number>
  filter: ParsedFilter | null
}

const knownEvents = new Set(['*', 'INSERT', 'UPDATE', 'DELETE'])

/** The `postgres_changes` of a join's config. A string is the reason for a refusal. */
export function readBindings(config: unknown): Binding[] | string {
  const asked = isObject(config) ? (config['postgres_changes'] ?? []) : []
  const unreadable = 'The config of postgres_changes cannot be read'
  if (!Array.isArray(asked)) return unreadable
  const { bindingsOfChannel, filterLength } = limits
  if (asked.length > bindingsOfChannel) return `Too many bindings of a channel: at most ${bindingsOfChannel}`
  const bindings = asked.map(readBinding)
  if (bindings.some((binding) => (binding?.filter?.length ?? 0) > filterLength))
    return `A filter has at most ${filterLength} characters`
  return bindings.includes(null) ? unreadable : (bindings as Binding[])
}

function readBinding(value: unknown): Binding | null {
  if (!isObject(value)) return null
  const { event, schema, table, filter } = value
  if (typeof event !== 'string' || typeof schema !== 'string') return null
  const isText = (part: unknown): part is string | undefined => part === undefined || typeof part === 'string'
  if (!isText(table ?? undefined) || !isText(filter ?? undefined)) return null
  return { event, schema, table: (table as string | null) ?? undefined, filter: (filter as string | null) ?? undefined }
}

/** Resolves a binding to the published tables. A string is the reason for a refusal. */
export function subscribe(binding: Binding, tables: readonly LiveTable[], id: number): Subscription | string {
  const { event, schema, table, filter } = binding
  if (!knownEvents.has(event)) return `${event} is no event: *, INSERT, UPDATE or DELETE`
  const all = table === undefined || table === '*'
  const meant = tables.filter((one) => one.schema === schema && (all || one.name === table))
  const [first] = meant
  if (first === undefined) return `${schema}.${table ?? '*'} is not in the publication`
  if (filter === undefined || filter === '') return { id, binding, tables: oids(meant), filter: null }
  const parsed = all ? null : parseRowFilter(filter, (column) => first.types.get(column))
  return parsed === null ? `the filter ${filter} cannot be read` : { id, binding, tables: oids(meant), filter: parsed }
}

function oids(tables: readonly LiveTable[]): Set<number> {
  return new Set(tables.map((table) => table.oid))
}
