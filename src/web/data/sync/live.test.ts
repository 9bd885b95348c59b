import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { PreparedRealtime } from '#tests/harness/prepared-realtime.ts'
import { tableNames } from '#web/data/server/tables.ts'
import { startLive } from './live.ts'
import { notificationsChanged } from './notifications-changed.ts'
import { announceOpenRecord, hasOpened, startPresence, tabPresences } from './presence.ts'
import { isLive } from './pull-schedule.ts'

let visibility = 'visible'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  visibility = 'visible'
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibility
    },
    addEventListener: () => {},
    removeEventListener: () => {},
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const topic = `realtime:live:${acme}`
const presenceTopic = `realtime:brand:${acme}`
/**
 * Returns the number, from 1, of a table's binding in the message that joins the channel. The bindings of the brand and of notifications
 * follow those of the tables.
 */
const bindingOf = (table: (typeof tableNames)[number]) => tableNames.indexOf(table) + 1
const [brandBinding, notificationsBinding] = [tableNames.length + 1, tableNames.length + 2]

interface LiveTab extends LoneTab {
  realtime: PreparedRealtime
  /** Waits until a burst has ended. Returns the number of pulls since the last call. */
  countPulls: () => Promise<number>
  notices: () => number
}

async function openLive(): Promise<LiveTab> {
  const realtime = new PreparedRealtime()
  const tab = await openLoneTab({ WebSocket: realtime.WebSocket })
  const emptyPull = { epoch: 'e', cursor: '1', full: false, complete: true, rows: {}, tombstones: [] }
  tab.network.on('POST /rest/v1/rpc/pull', () => ({ body: emptyPull }))
  let notices = 0
  notificationsChanged(tab.data).subscribe(() => (notices += 1))
  const countPulls = async () => {
    await untilIdle()
    tab.clock.advance(25)
    await untilIdle()
    return tab.network.sent.splice(0).length
  }
  return { ...tab, realtime, countPulls, notices: () => notices }
}

async function openJoined(): Promise<LiveTab> {
  const live = await openLive()
  startLive(live.data)
  expect(await live.countPulls()).toBe(1)
  return live
}

describe('live changes', () => {
  test('live changes cover every table of the brand, the row of the brand, and the user’s own notifications', async () => {
    const live = await openJoined()
    expect(isLive(live.device).get()).toBe(true)
    const [join] = live.realtime.of('phx_join')
    const filter = `brand_id=eq.${acme}`
    expect(join).toMatchObject({
      topic,
      payload: {
        config: {
          postgres_changes: [
            ...tableNames.map((table) => ({ event: '*', schema: 'public', table, filter })),
            { event: '*', schema: 'public', table: 'brands', filter: `id=eq.${acme}` },
            { event: '*', schema: 'public', table: 'notifications', filter: `user_id=eq.${ana}` },
          ],
        },
      },
    })
  })

  test('live changes cause one pull, however many arrive together', async () => {
    const live = await openJoined()
    live.realtime.sendChange(topic, bindingOf('deals'), 'INSERT', { id: 'roof', version: 1 })
    live.realtime.sendChange(topic, bindingOf('tasks'), 'UPDATE', { id: 'call', version: 2 })
    live.realtime.sendChange(topic, brandBinding, 'UPDATE', { id: acme, version: 2 })
    await untilIdle()
    live.clock.advance(24)
    await untilIdle()
    expect(live.network.sent).toEqual([])
    expect(await live.countPulls()).toBe(1)
    live.realtime.sendChange(topic, brandBinding, 'UPDATE', { id: acme, version: 3 })
    expect(await live.countPulls()).toBe(1)
    expect(live.notices()).toBe(0)
  })

  test('live changes of row versions that this device already has, such as those of its own edits, cause no pull', async () => {
    const live = await openJoined()
    putRows(live.data, 'deals', { id: 'roof', version: 4 })
    for (const version of [3, 4]) live.realtime.sendChange(topic, bindingOf('deals'), 'UPDATE', { id: 'roof', version })
    expect(await live.countPulls()).toBe(0)
    live.realtime.sendChange(topic, bindingOf('deals'), 'UPDATE', { id: 'roof', version: 5 })
    expect(await live.countPulls()).toBe(1)
    live.realtime.sendChange(topic, bindingOf('deals'), 'DELETE', { id: 'roof', version: 4 })
    expect(await live.countPulls()).toBe(1)
  })

  test('a live change causes a pull if its version is higher than that of the row here (0 for an unknown row), or if it has no id or no version', async () => {
    const live = await openJoined()
    live.realtime.sendChange(topic, bindingOf('deals'), 'INSERT', { id: 'new', version: 0 })
    expect(await live.countPulls()).toBe(0)
    live.realtime.sendChange(topic, bindingOf('deals'), 'INSERT', { id: 'new', version: 1 })
    expect(await live.countPulls()).toBe(1)
    live.realtime.sendChange(topic, bindingOf('memberships'), 'UPDATE', { version: 0 })
    expect(await live.countPulls()).toBe(1)
    live.realtime.sendChange(topic, bindingOf('deals'), 'UPDATE', { id: 'roof' })
    expect(await live.countPulls()).toBe(1)
  })

  test('live changes of notifications emit `notificationsChanged`, and cause no pull', async () => {
    const live = await openJoined()
    live.realtime.sendChange(topic, notificationsBinding, 'INSERT', { id: 'x' })
    expect([await live.countPulls(), live.notices()]).toEqual([0, 1])
  })

  test('the start of live changes causes a pull and emits `notificationsChanged`, because earlier changes have no event', async () => {
    const live = await openJoined()
    live.realtime.send(topic, 'system', { status: 'ok' })
    expect([await live.countPulls(), live.notices()]).toEqual([1, 1])
  })

  test('live changes cause no pull while the page is hidden', async () => {
    const live = await openJoined()
    visibility = 'hidden'
    live.realtime.sendChange(topic, bindingOf('deals'), 'INSERT', { id: 'roof', version: 1 })
    expect(await live.countPulls()).toBe(0)
  })

  test('`isLive` is true only while the channel is joined, and a closed brand causes no pull', async () => {
    const live = await openJoined()
    live.realtime.send(topic, 'phx_close', {})
    await untilIdle()
    expect(isLive(live.device).get()).toBe(false)
    live.clock.advance(500)
    await untilIdle()
    expect(isLive(live.device).get()).toBe(true)
    live.data.close()
    expect(isLive(live.device).get()).toBe(false)
    expect(await live.countPulls()).toBe(0)
  })
})

describe('presence', () => {
  async function openWithPresence(): Promise<LiveTab> {
    const live = await openLive()
    startPresence(live.data)
    await untilIdle()
    return live
  }
  const trackedPresences = ({ realtime }: LiveTab) =>
    realtime.of('presence').map(({ payload }) => (payload as { event: string; payload: unknown }).payload)

  test('presence is shown to colleagues, with the open record, after the server has confirmed that the brand was opened', async () => {
    const live = await openWithPresence()
    expect(live.realtime.of('phx_join')).toMatchObject([
      { topic: presenceTopic, payload: { config: { private: true, presence: { key: ana, enabled: true } } } },
    ])
    announceOpenRecord(live.device, '/crm/deals/roof')
    await untilIdle()
    expect(trackedPresences(live)).toEqual([])
    hasOpened(live.device).set(true)
    await untilIdle()
    announceOpenRecord(live.device, '/crm/deals/roof')
    announceOpenRecord(live.device, null)
    await untilIdle()
    expect(trackedPresences(live)).toEqual([{ open: '/crm/deals/roof' }, { open: null }])
  })

  test('presence is announced when the channel is joined', async () => {
    const live = await openLive()
    hasOpened(live.device).set(true)
    announceOpenRecord(live.device, '/crm/deals/roof')
    startPresence(live.data)
    await untilIdle()
    expect(trackedPresences(live)).toEqual([{ open: '/crm/deals/roof' }])
  })

  test('presence shows all tabs of all people, and nobody after the channel is lost', async () => {
    const live = await openWithPresence()
    const meta = (phx_ref: string, open: unknown) => ({ phx_ref, open })
    live.realtime.send(presenceTopic, 'presence_state', {
      ana: { metas: [meta('1', '/crm/deals/roof'), meta('2', null)] },
      bo: { metas: [meta('3', 5)] },
    })
    await untilIdle()
    expect(tabPresences(live.device).get()).toEqual([
      { user: 'ana', open: '/crm/deals/roof' },
      { user: 'ana', open: null },
      { user: 'bo', open: null },
    ])
    live.realtime.send(presenceTopic, 'phx_close', {})
    await untilIdle()
    expect(tabPresences(live.device).get()).toEqual([])
  })
})
