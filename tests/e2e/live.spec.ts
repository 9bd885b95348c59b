import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, openContext, test } from '../harness/browser.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import { expireStoredSession, setVisibility } from '../harness/waking-tabs.ts'
import { cardsOf, columnOf, personWithDeals, stagesOf } from './deal-seeds.ts'
import { waitUntilLive, moveDeal, ownerAndAna } from './live-seeds.ts'

test('a move made elsewhere appears at once on each open board', async ({ page, server, browser }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  const pageLive = waitUntilLive(page)
  await openAs(page, person, '/crm/deals')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  const context = await openContext(browser, server)
  const secondPage = await context.newPage()
  const otherLive = waitUntilLive(secondPage)
  await openAs(secondPage, person, '/crm/deals')
  await expect(cardsOf(columnOf(secondPage, 'Incoming'), 'Acme renewal')).toBeVisible()
  await Promise.all([pageLive, otherLive])

  const stages = await stagesOf(person)
  await person.client
    .from('deals')
    .update({ stage_id: stages.get('Proposal') })
    .eq('name', 'Acme renewal')
  // The change must arrive over the socket: a periodic pull may come only 30 s later.
  await Promise.all(
    [page, secondPage].map((screen) => expect(cardsOf(columnOf(screen, 'Proposal'), 'Acme renewal')).toBeVisible()),
  )
  await context.close()
})

test('a column that was opened with one card also shows the cards that are added later', async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'First' }])
  const becameLive = waitUntilLive(page)
  await openAs(page, person, '/crm/deals')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'First')).toBeVisible()
  await becameLive
  const stage = (await stagesOf(person)).get('Incoming')
  const deal = { brand_id: person.brandId, stage_id: stage, amount: 1, amount_currency: 'GBP' }
  const names = ['Second', 'Third', 'Fourth']
  const { error } = await person.client.from('deals').insert(names.map((name) => ({ ...deal, name })))
  expect(error).toBeNull()
  for (const name of ['First', ...names]) await expect(cardsOf(columnOf(page, 'Incoming'), name)).toBeInViewport()
})

test('after a socket was cut, the page receives the missed change', { tag: '@long' }, async ({ page, server }) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  let cutSocket = () => {}
  let resolveJoined = () => {}
  const joined = new Promise<void>((resolve) => {
    resolveJoined = resolve
  })
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      socket.send(message)
      if (String(message).includes('Subscribed to PostgreSQL')) resolveJoined()
    })
    cutSocket = () => void socket.close({ code: 1012 })
  })
  await openAs(page, person, '/crm/deals')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  await joined
  cutSocket()
  await person.client.from('deals').update({ name: 'Acme, renewed' }).eq('name', 'Acme renewal')
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme, renewed')).toBeVisible()
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
  const secondPage = await context.newPage()
  await openAs(secondPage, bo, '/crm/overview')
  const colleagueImage = (screen: Page) => screen.getByRole('list', { name: 'In this brand now' }).getByRole('img')
  await expect(colleagueImage(page)).toHaveAccessibleName(/^bo-/)
  await expect(colleagueImage(secondPage)).toHaveAccessibleName(/^ana-/)
  await context.close()
  await expect(colleagueImage(page)).toHaveCount(0)
})

test('if a token expires while the page is hidden, the missed change appears once it is visible, and changes are live again', async ({
  page,
  server,
}) => {
  const { owner, ana, stages } = await ownerAndAna(server, [{ name: 'Acme renewal' }])
  let subscribedCount = 0
  let closedCount = 0
  let sendInvalidTokens = () => {}
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    const upstream = socket.connectToServer()
    const joinFrames: string[][] = []
    socket.onMessage((message) => {
      const frame = JSON.parse(String(message)) as string[]
      if (frame[3] === 'phx_join') joinFrames.push(frame)
      upstream.send(message)
    })
    upstream.onMessage((message) => {
      socket.send(message)
      if (String(message).includes('Subscribed to PostgreSQL')) subscribedCount += 1
      if (String(message).includes('phx_close')) closedCount += 1
    })
    // The server treats an invalid token like an expired one.
    sendInvalidTokens = () => {
      for (const [joinRef, , topic] of joinFrames.splice(0))
        upstream.send(JSON.stringify([joinRef, 'x', topic, 'access_token', { access_token: 'run.out.of' }]))
    }
  })
  await openAs(page, owner, '/crm/deals')
  await expect.poll(() => subscribedCount).toBe(1)
  await setVisibility([page], 'hidden')
  sendInvalidTokens()
  await expect.poll(() => closedCount).toBe(2)
  await moveDeal(ana, stages, 'Acme renewal', 'Proposal')
  await expireStoredSession(page)
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  expect(subscribedCount).toBe(1)
  await setVisibility([page], 'visible')
  await expect(cardsOf(columnOf(page, 'Proposal'), 'Acme renewal')).toBeVisible()
  await expect.poll(() => subscribedCount).toBe(2)
  await moveDeal(ana, stages, 'Acme renewal', 'Verbal Yes')
  await expect(cardsOf(columnOf(page, 'Verbal Yes'), 'Acme renewal')).toBeVisible()
})
