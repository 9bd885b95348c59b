import { describe, expect, test, vi } from 'vitest'
import { acme, ana, type LoneTab, putRows, serverRow, untilIdle } from '#tests/harness/lone-tab.ts'
import { openTwoTabs } from '#tests/harness/two-tabs.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { localDatabase } from './local-db.ts'
import { GatheredRows, storeRows, storeState } from './store-rows.ts'
import { inAnyVersion } from './deletions.ts'

const dealsOfAcme = { userId: ana, brandId: acme, table: 'deals' } as const
const roofRow = (version: number) => serverRow({ id: 'roof', version })
const versionIn = ({ data }: LoneTab) => data.tables.deals.serverRow('roof')?.version

async function storeRoof({ device }: LoneTab, version: number): Promise<void> {
  await storeRows(device, { ...dealsOfAcme, rows: [roofRow(version)] })
  await untilIdle()
}

/** Writes a row as a pull from the beginning does: the row also replaces a newer one. */
async function replaceRoof({ device }: LoneTab, version: number): Promise<void> {
  const rows = new GatheredRows(device, { ...dealsOfAcme, replace: true })
  await rows.show([roofRow(version)])
  await rows.write()
  await untilIdle()
}

describe('what another tab stores', () => {
  test('what another tab stores is shown in this tab', async () => {
    const { first, second } = await openTwoTabs()
    await storeRoof(second, 1)
    expect(versionIn(first)).toBe(1)
    await storeRoof(second, 2)
    expect(versionIn(first)).toBe(2)
  })

  test('what another tab stores does not replace a newer row of this tab that is not on the disk yet', async () => {
    const { first, second } = await openTwoTabs()
    putRows(first.data, 'deals', { id: 'roof', version: 3 })
    await storeRoof(second, 2)
    expect(versionIn(first)).toBe(3)
    await storeRoof(first, 3)
    expect((await localDatabase(first.device, ana).getRows('deals', acme, ['roof']))[0]?.version).toBe(3)
  })

  test('what another tab stores after a change of epoch replaces the rows that this tab had before, but not those that have arrived since', async () => {
    const { first, second } = await openTwoTabs()
    await storeState(second.data, second.data.state.get(), { isNew: true })
    await storeRoof(first, 9)
    second.data.recentlyDeleted.set('wall', 4)
    first.data.recentlyDeleted.set('wall', 4)
    await storeState(second.data, { ...second.data.state.get(), epoch: 'after a restore' })
    await replaceRoof(second, 1)
    expect([versionIn(first), first.data.recentlyDeleted.size]).toEqual([1, 0])
    putRows(first.data, 'deals', { id: 'roof', version: 2 })
    await replaceRoof(second, 1)
    expect(versionIn(first)).toBe(2)
  })

  test('what another tab deletes is removed from memory and disk, also if this tab stores the row again before it gets the message', async () => {
    const { first, second } = await openTwoTabs()
    await storeRoof(first, 2)
    second.data.recentlyDeleted.set('roof', 2)
    const deletion = storeRows(second.device, { ...dealsOfAcme, deleted: inAnyVersion(['roof']) })
    const local = localDatabase(first.device, ana)
    const getRows = local.getRows.bind(local)
    vi.spyOn(local, 'getRows').mockImplementationOnce(async (...args) => {
      // A late answer arrives while the message is on its way.
      await local.putNewer('deals', acme, [roofRow(2)], () => true)
      return getRows(...args)
    })
    await deletion
    await untilIdle()
    expect(versionIn(first)).toBeUndefined()
    expect(await getRows('deals', acme, ['roof'])).toEqual([undefined])
  })

  test('what another tab stores stays in this tab if the copies are deleted to make room before this tab reads them', async () => {
    const { first, second } = await openTwoTabs()
    await storeRoof(first, 2)
    const lastWrite = first.data.writes.known.get() ?? 0
    const message = {
      type: 'rows',
      ...dealsOfAcme,
      ids: ['roof'],
      write: { after: lastWrite, number: lastWrite + 1 },
    } as const
    await localDatabase(first.device, ana).deleteRows('deals', acme, ['roof'])
    postToTabs(second.device, { ...message, deleted: {} })
    await untilIdle()
    expect([versionIn(first), first.data.writes.known.get()]).toEqual([2, lastWrite])
    // A tab of an earlier version does not say which rows were deleted.
    postToTabs(second.device, message)
    await untilIdle()
    expect(versionIn(first)).toBeUndefined()
  })

  test('what another tab stores is not skipped if that tab ended before it sent its message: this tab keeps its cursor, so that its next pull fetches the rows', async () => {
    const { first, second } = await openTwoTabs()
    await storeState(second.data, { ...second.data.state.get(), cursor: '1' }, { isNew: true })
    await localDatabase(second.device, ana).putNewer('deals', acme, [roofRow(1)], () => true)
    await storeState(second.data, { ...second.data.state.get(), cursor: '2' })
    await untilIdle()
    expect([versionIn(first), first.data.state.get().cursor]).toEqual([undefined, '1'])
  })

  test('what another tab deletes while this tab reads the rows is removed when they have been read', async () => {
    const { first, second } = await openTwoTabs()
    await storeRoof(second, 1)
    first.data.loaded.set(false)
    await storeRows(second.device, { ...dealsOfAcme, deleted: inAnyVersion(['roof']) })
    await untilIdle()
    // This tab has read the row before it was deleted.
    first.data.tables.deals.write([], ['roof'])
    first.data.tables.deals.add([roofRow(1) as never])
    expect(versionIn(first)).toBe(1)
    first.data.loaded.set(true)
    await untilIdle()
    expect(versionIn(first)).toBeUndefined()
  })

  test('what another tab stores, with its cursor, is taken over if this tab has all rows', async () => {
    const { first, second } = await openTwoTabs()
    await storeRoof(second, 1)
    await storeState(second.data, { ...second.data.state.get(), cursor: '2' }, { isNew: true })
    await untilIdle()
    expect([versionIn(first), first.data.state.get().cursor]).toEqual([1, '2'])
  })

  test('what another tab stores is read in the order of its messages', async () => {
    const { first, second } = await openTwoTabs()
    const local = localDatabase(first.device, ana)
    const getRows = local.getRows.bind(local)
    let isFirstRead = true
    vi.spyOn(local, 'getRows').mockImplementation(async (...args) => {
      const rows = await getRows(...args)
      // The first read ends late, when the row has been deleted.
      if (isFirstRead) {
        isFirstRead = false
        await untilIdle(40)
      }
      return rows
    })
    void storeRows(second.device, { ...dealsOfAcme, rows: [roofRow(1)] })
    await untilIdle(10)
    await storeRows(second.device, { ...dealsOfAcme, deleted: inAnyVersion(['roof']) })
    await untilIdle()
    expect(versionIn(first)).toBeUndefined()
  })
})
