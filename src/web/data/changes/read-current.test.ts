import { expect, test } from 'vitest'
import { acme, ana, openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { refusalCodes } from '#shared/refusal-codes.ts'
import { notAllowed } from './answer.ts'
import { readCurrentRows } from './read-current.ts'

const dealsOfAcme = { userId: ana, brandId: acme, table: 'deals' } as const
const ids = ['roof', 'wall', 'door']
const readRequest = 'GET /rest/v1/deals'
const deletionRequest = 'POST /rest/v1/rpc/record_deletion'

test('a read returns the missing rows with the versions that this device had before, and records the deletion of those that were not restored since', async () => {
  const { device, data, network } = await openLoneTab()
  putRows(data, 'deals', { id: 'roof', version: 2 }, { id: 'wall', version: 5 })
  network.on(deletionRequest, () => ({ body: { at: null, by: null } }))
  let reads = 0
  network.on(readRequest, () => {
    reads += 1
    // A colleague restores the row, and a pull stores it before the answer to the last read arrives.
    if (reads === 2) putRows(data, 'deals', { id: 'roof', version: 3 })
    return { body: [serverRow({ id: 'wall', version: 5 })] }
  })
  const answer = await readCurrentRows(device, dealsOfAcme, ids)
  expect(answer).toMatchObject({ kind: 'applied', rows: [{ id: 'wall' }] })
  expect(answer.kind === 'applied' && [...answer.missing]).toEqual([
    ['roof', 2],
    ['door', 0],
  ])
  expect([...data.recentlyDeleted]).toEqual([['door', 0]])
})

test('a read records no deletes if the rows exist, are of another brand, may not be read, or the server does not say who deleted them', async () => {
  const { device, data, network } = await openLoneTab()
  putRows(data, 'deals', { id: 'roof', version: 2 })
  network.on(deletionRequest, () => ({ body: { at: null, by: null } }))
  network.on(readRequest, () => ({ body: ids.map((id) => serverRow({ id })) }))
  expect((await readCurrentRows(device, dealsOfAcme, ids)).kind).toBe('applied')
  network.on(readRequest, () => ({ body: [] }))
  expect((await readCurrentRows(device, { ...dealsOfAcme, brandId: 'other' }, ids)).kind).toBe('applied')
  network.on(deletionRequest, () => refusalResponse(401, refusalCodes.SESSION_ENDED))
  expect((await readCurrentRows(device, dealsOfAcme, ids)).kind).toBe('session')
  network.on(deletionRequest, () => refusalResponse(403, refusalCodes.SECOND_FACTOR_REQUIRED))
  expect((await readCurrentRows(device, dealsOfAcme, ids)).kind).toBe('refused')
  network.on(deletionRequest, () => refusalResponse(400, refusalCodes.NOT_AUTHORIZED, 'NOT_AUTHORIZED'))
  expect(await readCurrentRows(device, dealsOfAcme, ids)).toEqual(notAllowed)
  network.on(deletionRequest, () => refusalResponse(503, ''))
  expect((await readCurrentRows(device, dealsOfAcme, ids)).kind).toBe('wait')
  expect([...data.recentlyDeleted]).toEqual([])
})

test('rows that were missing only because the user was not a member during the read are not recorded as deleted', async () => {
  const { device, data, network } = await openLoneTab()
  putRows(data, 'deals', { id: 'roof', version: 2 })
  // The user is added to the brand again after the first read. So the server answers who deleted the row: no delete is known.
  network.on(deletionRequest, () => ({ body: { at: null, by: null } }))
  network.onEach(readRequest, { body: [] }, { body: [serverRow({ id: 'roof', version: 2 })] })
  const answer = await readCurrentRows(device, dealsOfAcme, ['roof'])
  expect(answer).toMatchObject({ kind: 'applied', rows: [{ id: 'roof', version: 2 }] })
  expect(data.tables.deals.get('roof')).toBeDefined()
  expect([...data.recentlyDeleted]).toEqual([])
})

test('the rows are not read again if the delete of the only missing row is known', async () => {
  const { device, network } = await openLoneTab()
  network.on(deletionRequest, () => ({ body: { at: '2026-11-01T09:00:00Z', by: ana } }))
  network.on(readRequest, () => ({ body: [] }))
  await readCurrentRows(device, dealsOfAcme, ['roof'])
  expect(network.lines).toEqual([readRequest, deletionRequest])
})
