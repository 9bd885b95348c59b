// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { boardView } from '#web/data/board-view.ts'
import { FocusKeeper } from './focus-keeper.tsx'

renderInPage()

/** Focuses the card of a deal, and removes the deal from the board. Returns the positions that `focusPosition` was called with. */
async function removeFocusedCard(isMoving: boolean) {
  const { data } = await openLoneTab()
  putRows(data, 'deal_stages', { id: 'new', name: 'New', kind: 'open', position: 1 })
  for (const id of ['roof', 'wall']) putRows(data, 'deals', { id, name: id, stage_id: 'new', amount_currency: 'GBP' })
  const view = boardView(data, {})
  document.body.insertAdjacentHTML('beforeend', '<main><div data-deal="roof" tabindex="0"></div></main>')
  const board = { current: document.querySelector('main') }
  const focusPosition = vi.fn(async () => {})
  const render = () =>
    act(async () =>
      reactRoot.render(
        <FocusKeeper
          board={board}
          columns={view.read().columns}
          focusPosition={focusPosition}
          isMoving={() => isMoving}
        />,
      ),
    )
  await render()
  const card = document.querySelector<HTMLElement>('[data-deal]')
  card?.focus()
  data.tables.deals.write([], ['roof'])
  await render()
  card?.remove()
  await new Promise((resolve) => setTimeout(resolve, 20))
  return focusPosition.mock.calls
}

test('the card that takes the place of a deleted focused card gets the focus', async () => {
  expect(await removeFocusedCard(false)).toHaveLength(1)
})

test('no other card gets the focus while the focused card is moving and its new place is not known yet', async () => {
  expect(await removeFocusedCard(true)).toEqual([])
})
