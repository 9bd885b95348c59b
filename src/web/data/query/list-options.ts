import type { Condition } from './query.ts'

/** Conditions by column, of a list or a board. */
export type Where = Readonly<Record<string, Condition>>

/** How a list is narrowed and sorted; objects are compared by value. */
export interface ListOptions<Sort extends string = 'newest'> {
  /** Only what is owned by (tasks: assigned to) the person signed in. */
  mine?: boolean
  /** Only what meets these conditions. */
  where?: Where | undefined
  /** Of a board: only deals that meet these conditions, too; no column is left out. */
  filter?: Where | undefined
  /** Only what this person owns; null: what nobody owns. `mine` comes first. */
  owner?: string | null | undefined
  /** Of a board: the stages of this pipeline, or of that of this stage; 'all': of all. Default: of the first one. */
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

/** A query as the key that tells views of one maker apart. */
export function listKey<Sort extends string>(
  search: string,
  { mine = false, owner, where, filter, pipeline, sort }: ListOptions<Sort>,
): string {
  return JSON.stringify({ search: search.trim(), mine, owner, where, filter, pipeline, sort: sort ?? 'newest' })
}

/** The query of a key. */
export function readListKey<Sort extends string>(key: string): ListQuery<Sort> {
  return JSON.parse(key) as ListQuery<Sort>
}
