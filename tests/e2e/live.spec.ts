import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, openContext, test } from '../harness/browser.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import { expireStoredSession, setVisibility } from '../harness/waking-tabs.ts'
import { card, column, personWithDeals, stagesOf } from './deal-seeds.ts'
import { untilLive, moveDeal, ownerAndAna } from './live-seeds.ts'

test('a move made elsewhere appears at once on each open board', async ({ page, server, browser }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  const pageLive = untilLive(page)
  await openAs(page, person, '/crm/deals')
  await expect(card(column(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  const context = await openContext(browser, server)
  const other = await context.newPage()
  const otherLive = untilLive(other)
  await openAs(other, person, '/crm/deals')
  await expect(card(column(other, 'Incoming'), 'Acme renewal')).toBeVisible()
  await Promise.all([pageLive, otherLive])

  const stages = await stagesOf(person)
  await person.client
    .from('deals')
    .update({ stage_id: stages.get('Proposal') })
    .eq('name', 'Acme renewal')
  // The change must arrive over the socket: a periodic pull may come only 30 s later.
  await Promise.all(
    [page, other].map((screen) => expect(card(column(screen, 'Proposal'), 'Acme renewal')).toBeVisible()),
  )
  await context.close()
})

test('a column that was opened with one card also shows the cards that are added later', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'First' }])
  const live = untilLive(page)
  await openAs(page, person, '/crm/deals')
  await expect(card(column(page, 'Incoming'), 'First')).toBeVisible()
  await live
  const stage = (await stagesOf(person)).get('Incoming')
  const deal = { brand_id: person.brandId, stage_id: stage, amount: 1, amount_currency: 'GBP' }
  const names = ['Second', 'Third', 'Fourth']
  const { error } = await person.client.from('deals').insert(names.map((name) => ({ ...deal, name })))
  expect(error).toBeNull()
  for (const name of ['First', ...names]) await expect(card(column(page, 'Incoming'), name)).toBeInViewport()
})

test('after a socket was cut, the page receives the missed change', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  let cut = () => {}
  let sawJoin = () => {}
  const joined = new Promise<void>((resolve) => {
    sawJoin = resolve
  })
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      socket.send(message)
      if (String(message).includes('Subscribed to PostgreSQL')) sawJoin()
    })
    cut = () => void socket.close({ code: 1012 })
  })
  await openAs(page, person, '/crm/deals')
  await expect(card(column(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  await joined
  cut()
  await person.client.from('deals').update({ name: 'Acme, renewed' }).eq('name', 'Acme renewal')
  await expect(card(column(page, 'Incoming'), 'Acme, renewed')).toBeVisible()
})

test('colleagues see each other in the header while both are in the brand', { tag: '@long' }, async ({
  page,
  server,
  browser,
}) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  await addOpenedMember(ana, bo)
  await openAs(page, ana, '/crm/overview')
  const context = await openContext(browser, server)
  const other = await context.newPage()
  await openAs(other, bo, '/crm/overview')
  const here = (screen: Page) => screen.getByRole('list', { name: 'In this brand now' }).getByRole('img')
  await expect(here(page)).toHaveAccessibleName(/^bo-/)
  await expect(here(other)).toHaveAccessibleName(/^ana-/)
  await context.close()
  await expect(here(page)).toHaveCount(0)
})

test('if a token expires while the page is hidden, the missed change appears once it is visible, and changes are live again', async ({
  page,
  server,
}) => {
  const { owner, ana, stages } = await ownerAndAna(server, [{ name: 'Acme renewal' }])
  let feeds = 0
  let closed = 0
  let spoil = () => {}
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    const upstream = socket.connectToServer()
    const joins: string[][] = []
    socket.onMessage((message) => {
      const frame = JSON.parse(String(message)) as string[]
      if (frame[3] === 'phx_join') joins.push(frame)
      upstream.send(message)
    })
    upstream.onMessage((message) => {
      socket.send(message)
      if (String(message).includes('Subscribed to PostgreSQL')) feeds += 1
      if (String(message).includes('phx_close')) closed += 1
    })
    // The server treats an invalid token like an expired one.
    spoil = () => {
      for (const [joinRef, , topic] of joins.splice(0))
        upstream.send(JSON.stringify([joinRef, 'x', topic, 'access_token', { access_token: 'run.out.of' }]))
    }
  })
  await openAs(page, owner, '/crm/deals')
  await expect.poll(() => feeds).toBe(1)
  await setVisibility([page], 'hidden')
  spoil()
  await expect.poll(() => closed).toBe(2)
  await moveDeal(ana, stages, 'Acme renewal', 'Proposal')
  await expireStoredSession(page)
  await expect(card(column(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  expect(feeds).toBe(1)
  await setVisibility([page], 'visible')
  await expect(card(column(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  await expect.poll(() => feeds).toBe(2)
  await moveDeal(ana, stages, 'Acme renewal', 'Verbal Yes')
  await expect(card(column(page, 'Verbal Yes'), 'Acme renewal')).toBeVisible()
})
