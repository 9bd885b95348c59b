import { useMemo } from 'react'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { useView } from './use-view.ts'
import { type View, view } from './view.ts'

const noIds: readonly string[] = []

/**
 * Returns the ids of the records that are on this device, in the given order. If all the records were on this device when they were selected, the
 * missing ones have been deleted since, by this person or a colleague.
 */
export function useExistingIds(table: RecordTable, ids: readonly string[]): readonly string[] {
  const make = useMemo(() => (data: BrandData, key: string) => existingIdsView(data, table, key), [table])
  return useView(make, ids.join(' '), noIds)
}

/** Creates the view that `useExistingIds` reads. `key` contains the ids, separated by spaces. */
export function existingIdsView({ tables }: BrandData, table: RecordTable, key: string): View<readonly string[]> {
  const ids = key.split(' ')
  return view([tables[table]], () => ids.filter((id) => tables[table].get(id)))
}
