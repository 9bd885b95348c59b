/** How a list is narrowed and sorted; objects are compared by value. */
export interface ListOptions<Sort extends string = 'newest'> {
  /** Only what is owned by (tasks: assigned to) the person signed in. */
  mine?: boolean
  /** Default: newest first. */
  sort?: Sort
}

export interface ListQuery<Sort extends string = string> {
  search: string
  mine: boolean
  sort: Sort | 'newest'
}

/** A query as the key that tells views of one maker apart. */
export function listKey<Sort extends string>(search: string, { mine = false, sort }: ListOptions<Sort>): string {
  return JSON.stringify([search.trim(), mine, sort ?? 'newest'])
}

/** The query of a key. */
export function readListKey<Sort extends string>(key: string): ListQuery<Sort> {
  const [search, mine, sort] = JSON.parse(key) as [string, boolean, Sort | 'newest']
  return { search, mine, sort }
}
