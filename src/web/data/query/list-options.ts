import type { Condition } from './query.ts'

/** Conditions of a list or a board, by column. */
export type Where = Readonly<Record<string, Condition>>

/** How a list is filtered and sorted. Objects are compared by value. */
export interface ListOptions<Sort extends string = 'newest'> {
  /** Only records that the user owns. For tasks: that are assigned to the user. */
  mine?: boolean
  /** Only records that meet these conditions. */
  where?: Where | undefined
  /** For a board: only deals that also meet these conditions. All columns are still shown. */
  filter?: Where | undefined
  /** Only records of this owner. Null: only records without an owner. `mine` takes precedence. */
  owner?: string | null | undefined
  /** For a board: the id of a pipeline, or of one of its stages. 'all' shows all pipelines. Default: the first one. */
  pipeline?: string | undefined
  /** Default: newest first. */
  sort?: Sort
}

export interface ListQuery<Sort extends string = string> {
  search: string
  mine: boolean
  where?: Where
  filter?: Where
  owner?: string | null
  pipeline?: string
  sort: Sort | 'newest'
}

/** Returns the options as a key. Equal options have equal keys. */
export function listKey<Sort extends string>(
  search: string,
  { mine = false, owner, where, filter, pipeline, sort }: ListOptions<Sort>,
): string {
  return JSON.stringify({ search: search.trim(), mine, owner, where, filter, pipeline, sort: sort ?? 'newest' })
}

/** Returns the options of a key from `listKey`. */
export function readListKey<Sort extends string>(key: string): ListQuery<Sort> {
  return JSON.parse(key) as ListQuery<Sort>
}
