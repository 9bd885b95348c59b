import { describe, expect, test } from 'vitest'
import { clockStart, openLoneTab, putRows, type LoneTab } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'
import { fieldsSetByDatabase, updateRecord, updateRecords } from './update-record.ts'

/** Opens a tab that is offline: edits stay in the outbox. */
async function openOffline(): Promise<LoneTab> {
  const tab = await openLoneTab()
  reachable(tab.device).set(false)
  putRows(tab.data, 'deals', { id: 'roof', name: 'Roof', amount: 5, stage_id: 'new' }, { id: 'wall', name: 'Wall' })
  putRows(tab.data, 'contacts', { id: 'owen', first_name: 'Owen', email: 'o@d.test', phone: '1' })
  putRows(tab.data, 'tasks', { id: 'call', title: 'Call', status: 'open' })
  putRows(tab.data, 'notes', { id: 'note', body: 'Hello' })
  putRows(
    tab.data,
    'deal_stages',
    { id: 'new', kind: 'open', name: 'New' },
    { id: 'won', kind: 'won', name: 'Won' },
    { id: 'lost', kind: 'lost' },
  )
  return tab
}

const queuedIn = ({ device }: LoneTab) => queue(device).get().operations

describe('an edit of a record', () => {
  test('an edit of a record sends the changed fields, trimmed, and null for an empty text', async () => {
    const tab = await openOffline()
    const patch = { first_name: 'Owen', email: ' new@d.test ', phone: '  ', title: undefined }
    expect(await updateRecord(tab.device, 'contacts', 'owen', patch)).toEqual({ status: 'queued', id: 'owen' })
    expect(queuedIn(tab)).toMatchObject([
      {
        kind: 'update',
        values: { email: 'new@d.test', phone: null },
        base: { email: 'o@d.test', phone: '1' },
        title: 'Edit of contact “Owen”',
        icon: 'edit',
        lastWriteStands: false,
        version: 1,
      },
    ])
  })

  test('an edit of an amount or its currency sends both, and its title names only what changed', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'roof', name: 'Roof', amount: 10, amount_currency: 'GBP', version: 2 })
    await updateRecord(tab.device, 'deals', 'roof', { amount: 10, amount_currency: 'EUR' })
    await updateRecord(tab.device, 'deals', 'roof', { amount: 12 })
    const [pounds, euros] = ['GBP', 'EUR'].map((amount_currency) => ({ amount: 10, amount_currency }))
    const lastAmount = { amount: 12, amount_currency: 'EUR' }
    expect(queuedIn(tab)).toMatchObject([
      { values: euros, preview: euros, base: pounds, title: 'Currency of “Roof”' },
      { values: lastAmount, preview: lastAmount, base: euros, title: 'Amount of “Roof”' },
    ])
  })

  test('an edit of a record is on screen before it is sent', async () => {
    const tab = await openOffline()
    void updateRecord(tab.device, 'deals', 'roof', { name: 'Ruf' })
    expect(tab.data.tables.deals.get('roof')?.name).toBe('Ruf')
    expect(tab.data.tables.deals.serverRow('roof')?.name).toBe('Roof')
  })

  test('an edit of a record that changes nothing is saved without a request', async () => {
    const tab = await openOffline()
    expect(await updateRecord(tab.device, 'deals', 'roof', { name: ' Roof ' })).toEqual({ status: 'saved', id: 'roof' })
    expect(queuedIn(tab)).toEqual([])
  })

  test('an edit of a record sends an empty name and an empty note as they are, and the database decides', async () => {
    const tab = await openOffline()
    await updateRecord(tab.device, 'deals', 'roof', { name: ' ' })
    await updateRecord(tab.device, 'tasks', 'call', { title: '' })
    await updateRecord(tab.device, 'notes', 'note', { body: '' })
    await updateRecord(tab.device, 'contacts', 'owen', { title: '' })
    expect(queuedIn(tab).map(({ values }) => values)).toEqual([{ name: '' }, { title: '' }, { body: '' }])
  })

  test('an edit of a record that is not on this device sends all given fields', async () => {
    const tab = await openOffline()
    await updateRecord(tab.device, 'deals', 'gone', { name: 'Roof', amount: 0 })
    expect(queuedIn(tab)).toMatchObject([{ values: { name: 'Roof', amount: 0 }, version: 0 }])
  })

  test('an edit of a record that was deleted while the user typed is based on the values that the screen showed', async () => {
    const tab = await openOffline()
    tab.data.tables.deals.write([], ['roof'])
    await updateRecord(tab.device, 'deals', 'roof', { name: 'Roof', amount: 6 })
    expect(queuedIn(tab)).toMatchObject([{ base: { amount: 5 }, version: 0, title: 'Amount of “Roof”' }])
    expect(queuedIn(tab)[0]?.values).toEqual({ amount: 6 })
  })

  test('the last write wins in an edit of only the stage, the status or a pin, but not if the edit also changes another field', async () => {
    const tab = await openOffline()
    await updateRecord(tab.device, 'deals', 'roof', { stage_id: 'won' })
    await updateRecord(tab.device, 'tasks', 'call', { status: 'done' }, 'Complete “Call”')
    await updateRecord(tab.device, 'notes', 'note', { pinned: true })
    await updateRecord(tab.device, 'deals', 'roof', { stage_id: 'lost', amount: 6 })
    expect(queuedIn(tab)).toMatchObject([
      { lastWriteStands: true, icon: 'move', title: 'Stage of “Roof”' },
      { lastWriteStands: true, icon: 'edit', title: 'Complete “Call”' },
      { lastWriteStands: true, icon: 'edit' },
      { lastWriteStands: false, icon: 'move' },
    ])
  })

  test('an edit to a value that another record already has is refused with a readable sentence; other refusals keep the server’s message', async () => {
    const tab = await openLoneTab()
    putRows(tab.data, 'contacts', { id: 'owen', email: 'o@d.test' })
    tab.network.onEach(
      'PATCH /rest/v1/contacts',
      refusalResponse(409, '23505', 'duplicate key'),
      refusalResponse(400, '22001', 'too long'),
    )
    const edit = (email: string) => updateRecord(tab.device, 'contacts', 'owen', { email })
    expect(await edit('a@d.test')).toEqual({
      status: 'refused',
      message: 'Another contact has this email address.',
      code: '23505',
    })
    expect(await edit('b@d.test')).toEqual({ status: 'refused', message: 'too long', code: '22001' })
  })
})

describe('the fields that the database sets when other fields change', () => {
  test('the database sets the time when a deal came to its stage, and the time when the deal was closed', async () => {
    const { device } = await openOffline()
    const moved = (stage_id: unknown) => fieldsSetByDatabase(device, 'deals', { stage_id })
    expect(moved('won')).toEqual({ stage_since: clockStart, closed_at: clockStart })
    expect(moved('lost')).toEqual({ stage_since: clockStart, closed_at: clockStart })
    expect(moved('new')).toEqual({ stage_since: clockStart, closed_at: null })
    expect(moved('unknown')).toEqual({ stage_since: clockStart, closed_at: null })
    expect(moved(null)).toEqual({})
    expect(fieldsSetByDatabase(device, 'deals', { amount: 5 })).toEqual({})
  })

  test('the database sets the time when a task was completed', async () => {
    const { device } = await openOffline()
    expect(fieldsSetByDatabase(device, 'tasks', { status: 'done' })).toEqual({ completed_at: clockStart })
    expect(fieldsSetByDatabase(device, 'tasks', { status: 'open' })).toEqual({ completed_at: null })
    expect(fieldsSetByDatabase(device, 'tasks', { title: 'Call' })).toEqual({})
    expect(fieldsSetByDatabase(device, 'contacts', { stage_id: 'won', status: 'done' })).toEqual({})
  })
})

describe('an edit of many records', () => {
  test('an edit of many records is one operation with the earlier values of each record, and leaves out records that already have the values', async () => {
    const tab = await openOffline()
    putRows(tab.data, 'deals', { id: 'door', name: 'Door', stage_id: 'won' })
    const outcome = await updateRecords(tab.device, 'deals', ['roof', 'door', 'wall', 'gone'], { stage_id: 'won' })
    expect(outcome).toEqual({ status: 'queued', id: 'roof' })
    expect(queuedIn(tab)).toMatchObject([
      {
        kind: 'update-all',
        rowIds: ['roof', 'wall', 'gone'],
        values: { stage_id: 'won' },
        preview: { stage_id: 'won', closed_at: clockStart },
        bases: { roof: { stage_id: 'new' }, wall: { stage_id: undefined } },
        title: 'Move 3 deals to Won',
        icon: 'move',
      },
    ])
    expect(queuedIn(tab)[0]?.bases).not.toHaveProperty('gone')
    expect(tab.data.tables.deals.get('wall')?.stage_id).toBe('won')
  })

  test('an edit of many records trims texts and replaces empty ones as an edit of one record does', async () => {
    const tab = await openOffline()
    await updateRecords(tab.device, 'deals', ['roof', 'wall'], { lost_reason: '  ', name: '' }, 'Title')
    expect(queuedIn(tab)).toMatchObject([{ values: { lost_reason: null, name: '' }, icon: 'edit', title: 'Title' }])
  })

  test('an edit of many records is an edit of one record if there is only one, and is saved at once if there is none', async () => {
    const tab = await openOffline()
    await updateRecords(tab.device, 'deals', ['roof'], { amount: 9 })
    expect(queuedIn(tab)).toMatchObject([{ kind: 'update', rowId: 'roof' }])
    expect(await updateRecords(tab.device, 'deals', [], { amount: 9 })).toEqual({ status: 'saved', id: '' })
    expect(queuedIn(tab)).toHaveLength(1)
  })

  test('an edit of many records is sent for a hundred records at a time', async () => {
    const tab = await openOffline()
    const ids = Array.from({ length: 250 }, (_, index) => `deal ${index}`)
    await updateRecords(tab.device, 'deals', ids, { amount: 9 })
    expect(queuedIn(tab).map(({ rowIds }) => rowIds?.length)).toEqual([100, 100, 50])
  })
})
