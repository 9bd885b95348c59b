/**
 * The search parameters of a list's address: only mine, a part of the list, the order, and whether the form for a new record is open.
 * Without them: all records, newest first.
 */
export interface ListSearch {
  mine?: 1 | undefined
  /** The part of the list that is shown: src/web/crm/list-part.tsx. */
  show?: string | undefined
  sort?: string | undefined
  /** Set by the shortcuts of the installed app. */
  new?: 1 | undefined
}

/** Reads `?mine=1&show=overdue&sort=name&new=1` and drops other parameters. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  return { mine: one(search.mine), new: one(search.new), show: word(search.show), sort: word(search.sort) }
}

function one(value: unknown): 1 | undefined {
  return Number(value) === 1 ? 1 : undefined
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined
}
