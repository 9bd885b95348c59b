/** What the address of a list says: only mine, and the order. Absent: everybody's, newest first. */
export interface ListSearch {
  mine?: 1
  sort?: string
}

/** Reads `?mine=1&sort=name`; what is neither is left out. */
export function listSearch({ mine, sort }: Record<string, unknown>): ListSearch {
  return {
    ...(Number(mine) === 1 && { mine: 1 as const }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
  }
}
