import { useMemo, useSyncExternalStore } from 'react'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import type { View } from './view.ts'

const neverChanges = () => () => {}

/**
 * Returns the value of a view of the open brand's data, or `empty` while no brand is open. `make` creates the view for a `key`, such as the
 * search text. `empty` must be the same object in every render.
 */
export function useView<T>(make: (data: BrandData, key: string) => View<T>, key: string, empty: T): T {
  const data = useBrandData()
  const view = useMemo(() => (data ? make(data, key) : null), [data, make, key])
  const read = view ? view.read : () => empty
  return useSyncExternalStore(view ? view.subscribe : neverChanges, read, read)
}
