import { isObject } from './frames.ts'
import { limits } from './limits.ts'
import type { LiveTable } from './live-tables.ts'
import { type ParsedFilter, parseRowFilter } from './row-filter.ts'

/**
 * What a client wants to receive: an element of `postgres_changes` in a join. The reply to the join repeats the binding and
 * adds an id.
 */
export interface Binding {
  event: string
  schema: string
  table: string | undefined
  filter: string | undefined
}

/** A binding after its table names were resolved to oids and its filter was parsed. */
export interface Subscription {
  id: number
  binding: Binding
  /** The oids of the tables whose changes the binding matches. */
  tables: ReadonlySet<number>
  filter: ParsedFilter | null
}

const knownEvents = new Set(['*', 'INSERT', 'UPDATE', 'DELETE'])

/** Reads the bindings from `postgres_changes` in a join's config. If they are refused, returns the reason as text. */
export function readBindings(config: unknown): Binding[] | string {
  const elements = isObject(config) ? (config['postgres_changes'] ?? []) : []
  const unreadableMessage = 'The config of postgres_changes cannot be read'
  if (!Array.isArray(elements)) return unreadableMessage
  const { bindingsOfChannel, filterLength } = limits
  if (elements.length > bindingsOfChannel) return `Too many bindings of a channel: at most ${bindingsOfChannel}`
  const bindings = elements.map(readBinding)
  if (bindings.some((binding) => (binding?.filter?.length ?? 0) > filterLength))
    return `A filter has at most ${filterLength} characters`
  return bindings.includes(null) ? unreadableMessage : (bindings as Binding[])
}

function readBinding(value: unknown): Binding | null {
  if (!isObject(value)) return null
  const { event, schema, table, filter } = value
  if (typeof event !== 'string' || typeof schema !== 'string') return null
  const isText = (part: unknown): part is string | undefined => part === undefined || typeof part === 'string'
  if (!isText(table ?? undefined) || !isText(filter ?? undefined)) return null
  return { event, schema, table: (table as string | null) ?? undefined, filter: (filter as string | null) ?? undefined }
}

/** Resolves the tables and the filter of a binding. If the binding is refused, returns the reason as text. */
export function resolveBinding(binding: Binding, tables: readonly LiveTable[], id: number): Subscription | string {
  const { event, schema, table, filter } = binding
  if (!knownEvents.has(event)) return `${event} is not an event. The events are *, INSERT, UPDATE and DELETE`
  const matchesAllTables = table === undefined || table === '*'
  const matching = tables.filter(
    (candidate) => candidate.schema === schema && (matchesAllTables || candidate.name === table),
  )
  const [first] = matching
  if (first === undefined) return `${schema}.${table ?? '*'} is not in the publication`
  if (filter === undefined || filter === '') return { id, binding, tables: oidsOf(matching), filter: null }
  const parsed = matchesAllTables ? null : parseRowFilter(filter, (column) => first.types.get(column))
  return parsed === null
    ? `the filter ${filter} cannot be read`
    : { id, binding, tables: oidsOf(matching), filter: parsed }
}

function oidsOf(tables: readonly LiveTable[]): Set<number> {
  return new Set(tables.map((table) => table.oid))
}
