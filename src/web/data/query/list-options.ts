import type { Condition } from './query.ts'

/** The conditions that the records of a list or a board must meet, by column. */
export type Where = Readonly<Record<string, Condition>>

/** How a list is filtered and sorted. Two options objects with the same values mean the same list. */
export interface ListOptions<Sort extends string = 'newest'> {
  /** Shows only records that the user owns, or tasks that are assigned to the user. */
  mine?: boolean
  /** Shows only records that meet these conditions. */
  where?: Where | undefined
  /** On a board: shows only deals that also meet these conditions. All columns are still shown. */
  filter?: Where | undefined
  /** Shows only records of this owner. Null shows only records without an owner. If `mine` is set, `owner` is ignored. */
  owner?: string | null | undefined
  /**
   * On a board: the id of the shown pipeline, or of one of its stages. 'all' shows all pipelines. By default, the board shows the first
   * pipeline.
   */
  pipeline?: string | undefined
  /** The order of the records. By default, the newest records come first. */
  sort?: Sort
}

/** The search and the options of a list, as `readListKey` returns them. */
export interface ListQuery<Sort extends string = string> {
  search: string
  mine: boolean
  where?: Where
  filter?: Where
  owner?: string | null
  pipeline?: string
  sort: Sort | 'newest'
}

/**
 * Returns a text that identifies a list with this search and these options. Equal options whose conditions are in the same order give equal
 * texts.
 */
export function listKey<Sort extends string>(
  search: string,
  { mine = false, owner, where, filter, pipeline, sort }: ListOptions<Sort>,
): string {
  return JSON.stringify({ search: search.trim(), mine, owner, where, filter, pipeline, sort: sort ?? 'newest' })
}

/** Returns the search and the options of a text that `listKey` returned. */
export function readListKey<Sort extends string>(key: string): ListQuery<Sort> {
  return JSON.parse(key) as ListQuery<Sort>
}
