// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { boardView } from '#web/data/board-view.ts'
import type { BoardColumn } from '#web/data/deals.ts'
import { reachable } from '#web/data/server/network.ts'
import { toast, toastStore } from '#web/ui/toast.ts'
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

test('a card that is added to a stage which a colleague has just deleted is refused with a sentence', async () => {
  const { data, device, network } = await openLoneTab()
  putRows(data, 'deal_stages', { id: 'x', name: 'Incoming', kind: 'open', position: 1 })
  const board = boardView(data, {})
  const { actions } = createBoardActions(
    device,
    () => {},
    () => {},
  )
  network.on('POST /rest/v1/rpc/quick_create_deal', () =>
    refusalResponse(409, '23503', 'insert or update on table "deals" violates foreign key constraint'),
  )
  const column = board.read().columns[0]
  if (!column) throw new Error('The board has no column.')
  await actions.quickAdd(column)
  expect(toastStore.get()).toMatchObject({
    title: 'Error creating deal',
    description: 'Its stage no longer exists.',
  })
})

const stageNames = ['Incoming', 'Proposal', 'Won', 'Lost'] as const

/**
 * Opens a board with the deals roof, wall and door in Proposal. `render` puts the cards into the page, except those of folded stages, as the board
 * does after a change.
 */
async function openBoard() {
  const { data, device } = await openLoneTab()
  reachable(device).set(false)
  putRows(
    data,
    'deal_stages',
    ...stageNames.map((name, position) => ({ id: name, name, kind: name === 'Won' ? 'won' : 'open', position })),
  )
  const put = (id: string, stage_id: string, version: number) =>
    putRows(data, 'deals', { id, name: id, amount: 5, amount_currency: 'GBP', stage_id, version })
  for (const id of ['roof', 'wall', 'door']) put(id, 'Proposal', 1)
  const board = createBoardActions(
    device,
    () => {},
    () => {},
  )
  const view = boardView(data, {})
  const sections = stageNames.map((name) => {
    const section = document.createElement('section')
    section.dataset.stage = name
    document.body.append(section)
    return section
  })
  const placeCards = ({ stage, count, at }: BoardColumn, folded: readonly string[]) => {
    const shownIds = folded.includes(stage.id) ? [] : Array.from({ length: count }, (_, index) => at(index)?.deal.id)
    const section = sections.find(({ dataset }) => dataset.stage === stage.id)
    for (const card of section?.children ?? []) if (!shownIds.includes(card.id.slice('deal-'.length))) card.remove()
    for (const id of shownIds) {
      if (section?.querySelector(`#deal-${id}`)) continue
      const card = document.createElement('div')
      card.id = `deal-${id}`
      card.tabIndex = 0
      card.dataset.deal = id
      section?.append(card)
    }
  }
  const render = (folded: readonly string[] = []) => {
    const { columns } = view.read()
    board.follow(columns)
    for (const column of columns) placeCards(column, folded)
  }
  const cardOf = (id: string) => {
    for (const column of view.read().columns) {
      const card = column.at(column.indexOf(id))
      if (card) return card
    }
    throw new Error(`No card of ${id}`)
  }
  render()
  return { ...board, put, render, cardOf, stageOf: (id: string) => data.tables.deals.get(id)?.stage_id }
}

const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame)
}

afterEach(() => {
  toast.dismiss()
  document.body.replaceChildren()
})

const shiftLeft = () => new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true, cancelable: true })

test('keys for a card that is moving into a folded column never reach another card, even if a colleague has just moved the card', async () => {
  const { actions, pressed, focusSuccessor, put, render, cardOf, stageOf } = await openBoard()
  document.getElementById('deal-roof')?.focus()
  void focusSuccessor('roof')
  put('roof', 'Lost', 2)
  render(['Won'])
  document.getElementById('deal-roof')?.focus()
  await frames(2)
  actions.walk(cardOf('roof'), 'ArrowLeft', true)
  render(['Won'])
  await frames(5)
  expect(document.activeElement).toBe(document.body)
  pressed(shiftLeft())
  expect([stageOf('roof'), stageOf('wall'), stageOf('door')]).toEqual(['Proposal', 'Proposal', 'Proposal'])
  render(['Won'])
  await frames(3)
  expect(document.activeElement?.id).toBe('deal-roof')
})

test('if the new place of a moved card stays unknown, no other card of its new column gets the focus', async () => {
  const { actions, put, render, cardOf } = await openBoard()
  put('door', 'Won', 2)
  render()
  document.getElementById('deal-roof')?.focus()
  actions.walk(cardOf('roof'), 'ArrowRight', true)
  // The card leaves its column, and the board does not show it in another one.
  document.getElementById('deal-roof')?.remove()
  await frames(40)
  expect(document.getElementById('deal-door')).not.toBeNull()
  expect(document.activeElement).toBe(document.body)
})

test('the card that follows a card moved by a colleague gets the focus', async () => {
  const { focusSuccessor, put, render } = await openBoard()
  const order = [...document.querySelectorAll('[data-stage="Proposal"] > *')].map(({ id }) => id)
  document.getElementById(order[0] ?? '')?.focus()
  void focusSuccessor((order[0] ?? '').slice('deal-'.length))
  put((order[0] ?? '').slice('deal-'.length), 'Lost', 2)
  render()
  await frames(5)
  expect(document.activeElement?.id).toBe(order[1])
})
