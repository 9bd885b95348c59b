import { createPerson, expect, openAs, test } from '../harness/browser.ts'

/** How long each page is watched (ms). */
const watchMs = 25_000

test('a socket that the server closes at once (1008) is opened again after growing delays', async ({
  page,
  server,
}) => {
  const openTimes: number[] = []
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    openTimes.push(Date.now())
    socket.onMessage(() => void socket.close({ code: 1008, reason: 'Too many sockets of one account' }))
  })
  await openAs(page, await createPerson(server, { brand: 'Harbour' }))
  await expect.poll(() => openTimes.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await page.waitForTimeout(watchMs)
  // The delays are 1, 3, 9 and 27 s.
  expect(openTimes.length).toBeLessThanOrEqual(4)
  await expect(page.getByText('All changes saved')).toBeVisible()
})

test("a refused join ('Sign in …') is repeated after growing delays of up to ten seconds, and the page works", async ({
  page,
  server,
}) => {
  let joinCount = 0
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    socket.onMessage((message) => {
      const [joinRef, ref, topic, event] = JSON.parse(String(message)) as string[]
      if (event === 'phx_join') joinCount += 1
      const replyStatus = event === 'phx_join' ? 'error' : 'ok'
      const response = event === 'phx_join' ? { reason: 'Sign in to receive changes' } : {}
      socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: replyStatus, response }]))
    })
  })
  await openAs(page, await createPerson(server, { brand: 'Harbour' }))
  await expect.poll(() => joinCount, { timeout: 20_000 }).toBeGreaterThan(0)
  await page.waitForTimeout(watchMs)
  // There are two channels, each with delays of 1, 2, 5 and 10 s.
  expect(joinCount).toBeLessThanOrEqual(12)
  await expect(page.getByText('All changes saved')).toBeVisible()
})

test('a channel that is closed right after its join is joined again after growing delays', async ({ page, server }) => {
  let joinCount = 0
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    socket.onMessage((message) => {
      const [joinRef, ref, topic, event] = JSON.parse(String(message)) as string[]
      socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]))
      if (event !== 'phx_join') return
      joinCount += 1
      socket.send(JSON.stringify([joinRef, joinRef, topic, 'phx_close', {}]))
    })
  })
  await openAs(page, await createPerson(server, { brand: 'Harbour' }))
  await expect.poll(() => joinCount, { timeout: 20_000 }).toBeGreaterThan(0)
  await page.waitForTimeout(watchMs)
  // There are two channels, each with delays of 0.5, 2, 5, 10 and 30 s.
  expect(joinCount).toBeLessThanOrEqual(10)
})
