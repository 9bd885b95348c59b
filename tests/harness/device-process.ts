/** A colleague's device in a process of its own: the data layer with a local database, told by messages what to do (device.ts). */
import ws from 'ws'
import { browserDatabase } from './browser-database.ts'
import type { TableName } from '#web/data/server/tables.ts'

const [url = '', publishableKey = ''] = process.argv.slice(2)
const surroundings = { indexedDB: browserDatabase(), WebSocket: ws, BANYAN_CONFIG: { url, publishableKey } }
for (const [name, value] of Object.entries({ ...surroundings, navigator: { onLine: true } }))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })

const session = await import('#web/data/session/session.ts')
const { chooseBrand } = await import('#web/data/people/active-brand.ts')
const { openBrand } = await import('#web/data/store/brand-data.ts')
const { requestPull } = await import('#web/data/sync/pull-schedule.ts')
const { updateRecord, updateRecords } = await import('#web/data/changes/update-record.ts')
const { deleteRecords, restoreRecords } = await import('#web/data/changes/delete-records.ts')
const { moveDeal } = await import('#web/data/deals.ts')
const { setTaskStatus } = await import('#web/data/tasks.ts')
const { startEngine } = await import('#web/data/engine.ts')
startEngine()

/** The calls that the device accepts. */
export const deviceCalls = {
  signIn: session.signIn,
  chooseBrand,
  updateRecord,
  updateRecords,
  deleteRecords,
  restoreRecords,
  moveDeal,
  setTaskStatus,
  /** Pulls, and returns the row as this device's screens show it. */
  seen: async (table: TableName, id: string): Promise<Record<string, unknown> | null> => {
    await requestPull()
    return (openBrand.get()?.tables[table].get(id) as Record<string, unknown> | undefined) ?? null
  },
  /** Whether the open brand has been pulled. */
  isReady: async (): Promise<boolean> => openBrand.get()?.answered.get() === true,
}

type Call = { number: number; name: keyof typeof deviceCalls; args: unknown[] }

process.on('message', ({ number, name, args }: Call) => {
  const call = deviceCalls[name] as (...given: unknown[]) => Promise<unknown>
  call(...args).then(
    (value) => process.send?.({ number, value }),
    (error: unknown) => process.send?.({ number, error: String(error) }),
  )
})
process.send?.('ready')
