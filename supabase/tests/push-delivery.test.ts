import pino from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPushDelivery } from '#server/push/deliver.ts'
import type { PushTransport } from '#server/push/transport.ts'
import { createVapid } from '#server/push/vapid.ts'
import { type PushService, startPushService } from '#tests/harness/push-service.ts'
import { openScene, type Scene } from './people.ts'

let scene: Scene
let service: PushService
beforeAll(async () => {
  scene = await openScene()
  service = await startPushService()
  for (const person of ['bo', 'kim'] as const) await scene.as(person)('select open_brand($1)', [scene.acme])
  await scene.owner.query('delete from notifications')
})
afterAll(async () => {
  await service.stop()
  await scene.drop()
})

const vapid = createVapid(Buffer.alloc(32, 1), 'mailto:test@crm.example')
const notify = (person: 'bo' | 'kim', title: string) =>
  scene.owner.query(`select private.notify($1, $2, 'task_due', 'tasks', $1, $3)`, [
    scene.acme,
    scene.ids[person],
    title,
  ])
const subscribe = async (person: 'bo' | 'kim') => {
  const { endpoint, keys } = service.subscribe()
  await scene.as(person)('select save_push_subscription($1, $2, $3)', [endpoint, keys.p256dh, keys.auth])
  return endpoint
}

it('a push service that never responds delays neither the pushes of other people nor reminders', async () => {
  const silentEndpoint = await subscribe('bo')
  await subscribe('kim')
  for (let i = 0; i < 30; i++) await notify('bo', `Bo ${i}`)
  let silentRequests = 0
  let respond = () => {}
  const transport: PushTransport = (push) => {
    if (push.endpoint !== silentEndpoint) return service.transport(push)
    silentRequests += 1
    return new Promise((resolve) => {
      respond = () => resolve(201)
    })
  }
  const log = pino({ enabled: false })
  const delivery = await startPushDelivery({ owner: scene.owner, vapid, transport, log, intervalMs: 20 })
  await vi.waitFor(() => expect(silentRequests).toBe(3))
  for (let i = 0; i < 30; i++) await notify('kim', `Kim ${i}`)
  await vi.waitFor(() => expect(service.received).toHaveLength(30), { timeout: 10_000, interval: 20 })
  // The hook still runs: it creates a reminder, which reaches Kim.
  await scene.as('kim')(
    `insert into tasks (brand_id, title, due_at) values ($1, 'Call', now() + interval '100 milliseconds')`,
    [scene.acme],
  )
  await vi.waitFor(() => expect(service.received.at(-1)?.payload).toMatchObject({ title: 'Due now', body: 'Call' }), {
    timeout: 10_000,
    interval: 20,
  })
  expect(silentRequests).toBe(3)
  // A response makes room for the next push of the same person.
  respond()
  await vi.waitFor(() => expect(silentRequests).toBe(4))
  await delivery.stop()
})

it('a hook that fails at each call is logged as a warning only the first time', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const { owner } = scene
  const spy = vi.spyOn(owner, 'query')
  await owner.query('alter function private.on_timer() rename to on_timer_away')
  const delivery = await startPushDelivery({ owner, vapid, transport: service.transport, log, intervalMs: 20 })
  const hookCalls = () => spy.mock.calls.filter(([text]) => JSON.stringify(text).includes('on_timer()')).length
  await vi.waitFor(() => expect(hookCalls()).toBeGreaterThan(2))
  await delivery.stop()
  await owner.query('alter function private.on_timer_away() rename to on_timer')
  spy.mockRestore()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('no reminders are created')
})

it('pushes of read notifications do not take the places of other pushes', async () => {
  const { owner } = scene
  await owner.query('delete from private.push_outbox')
  await subscribe('kim')
  for (let i = 0; i < 10; i++) await notify('kim', `Read ${i}`)
  await owner.query('update notifications set read_at = now() where read_at is null')
  await notify('kim', 'Unread')
  await owner.query('select private.tidy_pushes()')
  const { rows } = await owner.query<{ payload: string }>('select payload from private.take_pushes(20)')
  const bodies = rows.map(({ payload }) => JSON.parse(payload).body)
  expect(new Set(bodies)).toEqual(new Set(['Unread']))
  const { rowCount } = await owner.query('select from private.push_outbox where taken_at is null')
  expect(rowCount).toBe(0)
})
