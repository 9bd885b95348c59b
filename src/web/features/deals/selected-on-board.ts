import type { BoardColumn } from '#web/data/deals.ts'
import { searchMatcher, whereMatcher } from '#web/data/query/match.ts'
import { type View, view } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'

/**
 * Creates the view of the selected deals that have a card on the board. The card may be so far down in its column that this device has not fetched
 * its place. `key` contains the ids of the selected deals, separated by spaces; their order is kept.
 */
export function selectedOnBoard(
  data: BrandData,
  key: string,
  columns: readonly Pick<BoardColumn, 'query' | 'indexOf'>[],
): View<readonly string[]> {
  const { deals } = data.tables
  const columnTests = columns.map(({ query, indexOf }) => {
    const meets = whereMatcher(query)
    const matches = searchMatcher(data, query)
    // The server may have found a deal by a name that is not on this device.
    return (id: string) => {
      const deal = deals.get(id)
      return deal && meets(deal) && (!matches || matches(deal) || indexOf(id) >= 0)
    }
  })
  return view([deals], () => key.split(' ').filter((id) => columnTests.some((isOnBoard) => isOnBoard(id))))
}
