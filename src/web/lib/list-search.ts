/**
 * The search parameters of a list's URL: the owner of the records, a part of the list, the filters, the order, the pipeline, and whether the form for
 * a new record is open. Without any of them, the list shows all records, in its default order.
 */
export interface ListSearch {
  /** 1 shows only records of the signed-in person. */
  mine?: 1 | undefined
  /** Shows only records of this owner; 'none' shows only records without an owner. Not used together with `mine`. */
  owner?: string | undefined
  /** The part of the list that is shown: see src/web/crm/list-part.tsx. */
  show?: string | undefined
  sort?: string | undefined
  /** Shows only records with one of these tags: their ids, separated by commas. */
  tags?: string | undefined
  /** On the board: the pipeline that is shown. Absent for the first one. */
  pipeline?: string | undefined
  /** Shows only records with one of these values in each field: see src/web/crm/list-filters.ts. */
  fields?: string | undefined
  /** Opens the form for a new record. The shortcuts of the installed app set it. */
  new?: 1 | undefined
}

const ownerFormat = /^(none|[0-9a-f-]{36})$/

/**
 * Reads the search parameters of a list's URL: `?mine=1&show=overdue&sort=name&tags=id,id&pipeline=ID&fields=is.ID:true&new=1`, or `?owner=none`.
 * Drops all other parameters, invalid values, and `owner` beside `mine`.
 */
export function parseListSearch(search: Record<string, unknown>): ListSearch {
  const mine = flagOf(search.mine)
  const owner = mine ? undefined : filledText(search.owner)
  return {
    mine,
    owner: owner && ownerFormat.test(owner) ? owner : undefined,
    new: flagOf(search.new),
    show: filledText(search.show),
    sort: filledText(search.sort),
    tags: filledText(search.tags),
    pipeline: filledText(search.pipeline),
    fields: filledText(search.fields),
  }
}

/** Returns 1 for 1 and '1', otherwise undefined. */
function flagOf(value: unknown): 1 | undefined {
  return Number(value) === 1 ? 1 : undefined
}

/** Returns the value if it is a text that is not empty, otherwise undefined. */
function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined
}
