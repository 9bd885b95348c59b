import type { Device } from '#web/data/browser/device.ts'
import { Parts } from '#web/data/browser/parts.ts'
import { type TableName, tableNames } from '#web/data/server/tables.ts'
import { emitter } from '#web/lib/emitter.ts'
import { observable } from '#web/lib/observable.ts'
import { type BrandData, openBrand, recordLookChanges } from './brand-data.ts'
import { newBrandState } from './brand-state.ts'
import { Collection } from './collection.ts'
import type { TableDefinitions } from './definition.ts'
import { lookTables, type ShownLook, WriteCount } from './first-look.ts'
import { localDatabase } from './local-db.ts'
import { followOtherTabs } from './follow-tabs.ts'
import { operationsByRow } from './preview.ts'
import { queue } from './queue.ts'

/** Opens a brand with empty tables. `loadBrandData` then reads its rows. */
export function openBrandData(
  device: Device,
  userId: string,
  brandId: string,
  definitions: TableDefinitions,
): BrandData {
  const tables: BrandData['tables'] = {
    pipelines: new Collection(),
    deal_stages: new Collection(),
    tags: new Collection(),
    memberships: new Collection(),
    tasks: new Collection(),
    notes: new Collection(),
    deals: new Collection(),
    companies: new Collection(),
    contacts: new Collection(),
    deal_contacts: new Collection(),
    custom_fields: new Collection(),
  }
  const stops: (() => void)[] = []
  const invalidated = emitter<TableName>()
  const state = observable(newBrandState(brandId))
  const stateKnown = localDatabase(device, userId)
    .getState(brandId)
    .then((stored) => stored && state.set(stored))
    .catch((error: unknown) => console.warn('The local database cannot be read.', error))
  const data: BrandData = {
    device,
    parts: new Parts(),
    userId,
    brandId,
    tables,
    state,
    stateKnown: stateKnown.then(() => {}),
    loaded: observable(false),
    listRead: observable<string | null>(null),
    firstLook: observable<ShownLook | null>(null),
    writes: new WriteCount(),
    firstPullEnded: observable(false),
    definitions,
    recentlyDeleted: new Map(),
    invalidate: invalidated.emit,
    onInvalidate: invalidated.subscribe,
    onClose: (stop) => void stops.push(stop),
    close: () => {
      for (const stop of stops) stop()
      if (openBrand(device).get() === data) openBrand(device).set(null)
    },
  }
  const applyOperations = () => {
    const { operations } = queue(device).get()
    for (const table of tableNames) tables[table].setOperations(operationsByRow(operations, brandId, table))
    for (const table of lookTables) recordLookChanges(data, table, [...tables[table].waitingIds()])
  }
  applyOperations()
  stops.push(queue(device).subscribe(applyOperations), followOtherTabs(data))
  openBrand(device).set(data)
  return data
}
