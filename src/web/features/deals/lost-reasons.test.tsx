// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'
import { toast, toastStore } from '#web/ui/toast.ts'
import { lostReasonOffer } from './lost-reason-offer.tsx'
import { LostReasons } from './lost-reasons.tsx'

renderInPage()

/** Shows the offer of lost reasons in a toast, for two lost deals, roof and wall. By default, neither has a reason. */
async function showOffer(lostReasons: { roof: string | null; wall: string | null } = { roof: null, wall: null }) {
  const { data, device } = await openLoneTab()
  reachable(device).set(false)
  putRows(data, 'pipelines', { id: 'sales', name: 'Sales', position: 1, lost_reasons: ['Price'] })
  putRows(
    data,
    'deal_stages',
    { id: 'won', name: 'Won', kind: 'won', pipeline_id: 'sales', position: 1 },
    { id: 'lost', name: 'Lost', kind: 'lost', pipeline_id: 'sales', position: 2 },
  )
  for (const [id, lost_reason] of Object.entries(lostReasons))
    putRows(data, 'deals', { id, name: id, stage_id: 'lost', lost_reason })
  toast.success('2 deals moved')
  // As in the Toaster, there is no context of the device.
  const dealIds = ['roof', 'wall']
  act(() => reactRoot.render(<LostReasons device={device} dealIds={dealIds} stageId="lost" />))
  /** A colleague moves a deal to Won. */
  const win = (id: string) =>
    act(async () => {
      putRows(data, 'deals', { id, name: id, stage_id: 'won', lost_reason: null, version: 2 })
      // A colleague's change is shown after 80 ms at most.
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
  const press = (name: string) =>
    act(async () => [...document.querySelectorAll('button')].find((each) => each.textContent === name)?.click())
  const offered = () =>
    [...document.querySelectorAll('button')].map((each) => [each.textContent, each.getAttribute('aria-pressed')])
  return { data, device, win, press, offered }
}

test('a lost reason is not stored on a deal that a colleague has moved to another stage meanwhile', async () => {
  const { device, win, press } = await showOffer()
  await win('roof')
  expect(toastStore.get()?.title).toBe('2 deals moved')
  await press('Price')
  expect(queue(device).get().operations).toMatchObject([{ rowId: 'wall', values: { lost_reason: 'Price' } }])
})

test('the offer of lost reasons ends when no deal is lost any more: they were moved or deleted', async () => {
  const { data, win } = await showOffer()
  await win('roof')
  expect(toastStore.get()).not.toBeNull()
  await act(async () => {
    data.recentlyDeleted.set('wall', 1)
    data.tables.deals.write([], ['wall'])
    await new Promise((resolve) => setTimeout(resolve, 100))
  })
  expect(toastStore.get()).toBeNull()
})

test('a reason of an earlier loss is marked as the chosen one, and choosing it again keeps it without a change', async () => {
  const { device, press, offered } = await showOffer({ roof: 'Price', wall: 'Price' })
  expect(offered()).toEqual([
    ['Price', 'true'],
    ['Other…', null],
  ])
  await press('Price')
  expect(queue(device).get().operations).toEqual([])
  expect(toastStore.get()).toBeNull()
})

test('a typed reason of an earlier loss is offered too, and is marked as the reason of some of the deals', async () => {
  const { device, press, offered } = await showOffer({ roof: null, wall: 'Bought a boat' })
  expect(offered()).toEqual([
    ['Price', 'false'],
    ['Bought a boat', 'mixed'],
    ['Other…', null],
  ])
  await press('Bought a boat')
  expect(queue(device).get().operations).toMatchObject([{ rowId: 'roof', values: { lost_reason: 'Bought a boat' } }])
})

test.each([
  [['roof'], 'Why was it lost?'],
  [['roof', 'wall'], 'Why were they lost?'],
])('after a move of %j to a lost stage the question is “%s”', async (dealIds, question) => {
  const { device } = await showOffer()
  expect(lostReasonOffer(device, dealIds, 'lost').description).toBe(question)
  expect(lostReasonOffer(device, dealIds, 'won').description).toBeUndefined()
})
