import { randomUUID } from 'node:crypto'
import { placeOf } from './act-brands.ts'
import { type Act, inBrand, judge, otherOf } from './attempt.ts'
import { complain, isMember, newMarker, type Session, type World } from './world.ts'
import { hasChanged, isDone } from './wire.ts'

export const notificationActs = {
  /** The other account gets the task and is mentioned with it; then somebody looks for notifications of others. */
  async 'assign and mention'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const other = otherOf(world, step)
    const { wire } = world.site
    const { token } = session
    const marker = newMarker(world, {
      what: `a task of ${placeOf(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const body = { id, brand_id: brand.id, title: marker, assignee_id: step.flag ? other.id : null }
    const task = await wire.rest('POST', 'tasks', { token, body })
    // The database refuses an assignee who is no member.
    const isAllowed = isMember(session, brand) && (step.flag ? 'perhaps' : true)
    const what = `${session.name} gives ${other.name} a task of ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed, isDone: isDone(task) }))
      brand.records.push({ id, table: 'tasks', marker, isDeleted: false })
    const company_id = brand.records.find(({ table, isDeleted }) => table === 'companies' && !isDeleted)?.id
    if (company_id) {
      const text = `${marker} @[${other.name}](user:${other.id})`
      await wire.rest('POST', 'notes', {
        token,
        body: { id: randomUUID(), brand_id: brand.id, body: text, company_id },
      })
    }
    await lookForOthers(world, session)
  },
} satisfies Record<string, Act>

/** What is not one's own is neither read nor marked, by anybody. */
async function lookForOthers(world: World, { name, token, account }: Session): Promise<void> {
  const { wire } = world.site
  const foreign = `notifications?user_id=neq.${account.id}`
  const read = await wire.rest('GET', `${foreign}&select=id`, { token })
  const marked = await wire.rest('PATCH', foreign, { token, body: { read_at: '2026-01-01T00:00:00Z' }, withRows: true })
  if (hasChanged(read) || hasChanged(marked)) complain(world, `${name} reached notifications of others`)
  const members = await wire.asService('memberships?select=brand_id,user_id')
  const notified = await wire.asService('notifications?select=brand_id,user_id,actor_id')
  const known = new Set(rowsOf(members).map((row) => `${row['brand_id']} ${row['user_id']}`))
  for (const row of rowsOf(notified)) {
    if (!known.has(`${row['brand_id']} ${row['user_id']}`)) complain(world, 'somebody who is no member was notified')
    if (row['user_id'] === row['actor_id']) complain(world, 'somebody was notified of what they did')
  }
}

function rowsOf({ body }: { body: unknown }): Record<string, string>[] {
  return Array.isArray(body) ? body : []
}
