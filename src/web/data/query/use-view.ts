import { useMemo, useSyncExternalStore } from 'react'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import type { View } from './view.ts'

const nothingToHear = () => () => {}

/** A view over the open brand's data; `key` tells views of one maker apart (the search text). `empty` must be one object for good. */
export function useView<T>(make: (data: BrandData, key: string) => View<T>, key: string, empty: T): T {
  const data = useBrandData()
  const view = useMemo(() => (data ? make(data, key) : null), [data, make, key])
  const read = view ? view.read : () => empty
  return useSyncExternalStore(view ? view.subscribe : nothingToHear, read, read)
}
