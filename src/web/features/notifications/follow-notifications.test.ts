// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockStart, type LoneTab, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { fetchNotifications } from '#web/data/inbox-requests.ts'
import { toast } from '#web/ui/toast.ts'
import { followNotifications } from './follow-notifications.ts'

let tab: LoneTab
const news = vi.spyOn(toast, 'news')
beforeEach(async () => {
  news.mockClear()
  tab = await openLoneTab()
  tab.network.on('GET /rest/v1/notifications', () => ({ body: [] }))
})
afterEach(() => tab.data.close())

/** Returns unread notifications, the newest first. The newest is one second old by the clock of the server. */
function unreadRows(kind: string, count: number, serverTime = Date.parse(clockStart)) {
  return Array.from({ length: count }, (_, index) => ({
    id: `${kind} ${index}`,
    kind,
    title: `Call ${index}`,
    record_id: `task ${index}`,
    created_at: new Date(serverTime - 1000 - index * 120_000).toISOString(),
    read_at: null,
  }))
}

async function receiveRows(rows: object[], serverTime = Date.parse(clockStart)) {
  const headers = { date: new Date(serverTime).toUTCString() }
  tab.network.on('GET /rest/v1/notifications', () => ({ body: rows, headers }))
  await fetchNotifications(tab.data)
  await untilIdle()
}

const shownTitles = () => news.mock.calls.map(([title]) => title)

test('a reminder is shown as a toast also if the list has the maximum number of unread notifications before and after it', async () => {
  followNotifications(tab.data, () => {})
  await untilIdle()
  const others = unreadRows('mentioned', 100)
  await receiveRows(others)
  await receiveRows([...unreadRows('task_due', 1), ...others.slice(0, 99)])
  expect(shownTitles()).toEqual(['Call 0 is due'])
})

test('a reminder that has just come is shown as a toast also if the clock of the device is some minutes fast', async () => {
  const serverTime = Date.parse(clockStart) - 300_000
  followNotifications(tab.data, () => {})
  await untilIdle()
  await receiveRows(unreadRows('task_due', 2, serverTime), serverTime)
  // The second reminder is two minutes old, so it is not shown.
  expect(shownTitles()).toEqual(['Call 0 is due'])
})
