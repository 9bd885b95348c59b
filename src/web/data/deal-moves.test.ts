import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'
import { undoStep } from './changes/undo-step.ts'
import { moveToStage } from './deal-moves.ts'
import { moveDeal } from './deals.ts'

/** Opens a tab that is offline, with an open deal (roof), a lost one (wall), and a won one with the reason of an earlier loss (door). */
async function openDeals() {
  const { data, device } = await openLoneTab()
  reachable(device).set(false)
  putRows(
    data,
    'deal_stages',
    { id: 'new', name: 'New', kind: 'open' },
    { id: 'won', name: 'Won', kind: 'won' },
    { id: 'lost', name: 'Lost', kind: 'lost' },
    { id: 'dead', name: 'Dead', kind: 'lost' },
  )
  putRows(
    data,
    'deals',
    { id: 'roof', name: 'Roof', stage_id: 'new', lost_reason: null },
    { id: 'wall', name: 'Wall', stage_id: 'lost', lost_reason: 'Price' },
    { id: 'door', name: 'Door', stage_id: 'won', lost_reason: 'Price' },
  )
  const stateOf = (id: string) => {
    const deal = data.tables.deals.get(id)
    return [deal?.stage_id, deal?.lost_reason]
  }
  return { device, stateOf }
}

test('a deal that is lost again starts without the reason of the earlier loss, and undo restores stage and reason', async () => {
  const { device, stateOf } = await openDeals()
  await moveDeal(device, 'door', 'lost')
  expect(stateOf('door')).toEqual(['lost', null])
  expect(queue(device).get().operations).toMatchObject([
    {
      title: 'Move “Door” to Lost',
      icon: 'move',
      values: { stage_id: 'lost', lost_reason: null },
      lastWriteStands: true,
    },
  ])
  expect(undoStep(device)).toMatchObject({ words: 'Door moved to Lost', kept: [] })
  expect(stateOf('door')).toEqual(['won', 'Price'])
})

test('the undo of a move out of a lost stage restores the reason', async () => {
  const { device, stateOf } = await openDeals()
  await moveDeal(device, 'wall', 'won')
  undoStep(device)
  expect(stateOf('wall')).toEqual(['lost', 'Price'])
})

test('a move between lost stages keeps the reason', async () => {
  const { device, stateOf } = await openDeals()
  await moveDeal(device, 'wall', 'dead')
  expect(stateOf('wall')).toEqual(['dead', 'Price'])
})

test('a move of several deals to a lost stage clears only the reasons of earlier losses', async () => {
  const { device, stateOf } = await openDeals()
  await moveToStage(device, ['roof', 'wall', 'door'], 'dead')
  expect(['roof', 'wall', 'door'].map(stateOf)).toEqual([
    ['dead', null],
    ['dead', 'Price'],
    ['dead', null],
  ])
  expect(
    queue(device)
      .get()
      .operations.map(({ title }) => title),
  ).toEqual(['Move 2 deals to Dead', 'Move “Door” to Dead'])
  expect(undoStep(device)).toMatchObject({ words: '3 deals moved to Dead' })
  expect(['roof', 'wall', 'door'].map(stateOf)).toEqual([
    ['new', null],
    ['lost', 'Price'],
    ['won', 'Price'],
  ])
})

test('the refusal of a move to a stage that a colleague has deleted says so', async () => {
  const { data, device, network } = await openLoneTab()
  putRows(data, 'deal_stages', { id: 'lost', name: 'Lost', kind: 'lost' })
  putRows(data, 'deals', { id: 'roof', name: 'Roof', stage_id: 'new' })
  network.on('PATCH /rest/v1/deals', () => refusalResponse(409, '23503', 'violates foreign key constraint'))
  expect(await moveDeal(device, 'roof', 'lost')).toEqual({
    status: 'refused',
    code: '23503',
    message: 'This stage was deleted meanwhile.',
  })
})
