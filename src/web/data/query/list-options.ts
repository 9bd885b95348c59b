import type { Condition } from './query.ts'

/** Conditions by column, of a list or a board. */
export type Where = Readonly<Record<string, Condition>>

/** How a list is narrowed and sorted; objects are compared by value. */
export interface ListOptions<Sort extends string = 'newest'> {
  /** Only what is owned by (tasks: assigned to) the person signed in. */
  mine?: boolean
  /** Only what meets these conditions. */
  where?: Where | undefined
  /** Default: newest first. */
  sort?: Sort
}

export interface ListQuery<Sort extends string = string> {
  search: string
  mine: boolean
  where?: Where
  sort: Sort | 'newest'
}

/** A query as the key that tells views of one maker apart. */
export function listKey<Sort extends string>(search: string, { mine = false, where, sort }: ListOptions<Sort>): string {
  return JSON.stringify([search.trim(), mine, sort ?? 'newest', where])
}

/** The query of a key. */
export function readListKey<Sort extends string>(key: string): ListQuery<Sort> {
  const [search, mine, sort, where] = JSON.parse(key) as [string, boolean, Sort | 'newest', Where | null]
  return { search, mine, sort, ...(where && { where }) }
}
