// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { boardView } from '#web/data/board-view.ts'
import { reachable } from '#web/data/server/network.ts'
import { createBoardActions } from './create-board-actions.ts'

test("a card whose deal was moved after 'Move to' was opened can be moved back to the stage that it had then", async () => {
  const { data, device } = await openLoneTab()
  reachable(device).set(false)
  putRows(
    data,
    'deal_stages',
    { id: 'x', name: 'Incoming', kind: 'open', position: 1 },
    { id: 'y', name: 'Won', kind: 'won', position: 2 },
  )
  const deal = { id: 'a', name: 'Roof', amount: 5, amount_currency: 'GBP', contact_id: null, company_id: null }
  putRows(data, 'deals', { ...deal, stage_id: 'x' })
  const { choose, follow } = createBoardActions(
    device,
    () => {},
    () => {},
  )
  const board = boardView(data, {})
  follow(board.read().columns)
  const card = board.read().columns[0]?.at(0)
  if (!card) throw new Error('The board has no card.')
  putRows(data, 'deals', { ...deal, stage_id: 'y', version: 2 })
  choose(card, 'x')
  await untilIdle()
  expect(data.tables.deals.get('a')?.stage_id).toBe('x')
})
