/**
 * The search parameters of a list's address: only mine, the order, and whether the form for a new record is open. Without them: all
 * records, newest first.
 */
export interface ListSearch {
  mine?: 1
  sort?: string
  /** Set by the shortcuts of the installed app. */
  new?: 1
}

/** Reads `?mine=1&sort=name&new=1` and drops other parameters. */
export function listSearch({ mine, sort, ...rest }: Record<string, unknown>): ListSearch {
  return {
    ...(Number(rest.new) === 1 && { new: 1 as const }),
    ...(Number(mine) === 1 && { mine: 1 as const }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
  }
}
