/** What the address of a list says: only mine, the order, and whether the form for a new record opens. Absent: everybody's, newest first. */
export interface ListSearch {
  mine?: 1
  sort?: string
  /** The installed app's shortcuts lead there. */
  new?: 1
}

/** Reads `?mine=1&sort=name&new=1`; what is none of them is left out. */
export function listSearch({ mine, sort, ...rest }: Record<string, unknown>): ListSearch {
  return {
    ...(Number(rest.new) === 1 && { new: 1 as const }),
    ...(Number(mine) === 1 && { mine: 1 as const }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
  }
}
