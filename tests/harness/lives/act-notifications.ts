import { randomUUID } from 'node:crypto'
import { placeOf } from './act-brands.ts'
import { type Act, inBrand, judge, affectedAccount } from './attempt.ts'
import { complain, isMember, newMarker, type Session, type World } from './world.ts'
import { hasChanged, isDone } from './wire.ts'

export const notificationActs = {
  /** The other account gets the task and is mentioned with it; then somebody looks for notifications of others. */
  async 'assign and mention'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
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
  /** An import begins, another account tries to end it in the beginner's name, and it ends unseen. */
  async 'end import'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const { wire } = world.site
    const thief = world.sessions.find(({ account, isAlive }) => isAlive && account !== session.account)
    const about = { p_brand_id: brand.id, p_import_id: randomUUID() }
    const marker = newMarker(world, {
      what: `an import of ${placeOf(world, brand)}`,
      mayBeRead: (reader) => reader.account === session.account && isMember(reader, brand),
    })
    const begun = await wire.rpc('begin_import', { ...about, p_file: marker }, { token: session.token })
    const what = `${session.name} imports into ${placeOf(world, brand)}`
    judge(world, step, { what, isAllowed: isMember(session, brand), isDone: isDone(begun) })
    const ended = { ...about, p_is_complete: true, p_imported: 3, p_skipped: 1 }
    if (thief) {
      await wire.rpc('end_import', ended, { token: thief.token })
      if (step.flag) await wire.rpc('set_pushed_kind', { p_kind: 'mentioned', p_is_on: false }, { token: thief.token })
    }
    const lines = `notifications?record_id=eq.${about.p_import_id}&select=user_id`
    if (rowsOf(await wire.asService(lines)).length > 0) complain(world, `an import was ended by somebody else`)
    await wire.rpc('end_import', ended, { token: session.token })
    const notified = rowsOf(await wire.asService(lines)).map((row) => row['user_id'])
    if (notified.length !== (isDone(begun) ? 1 : 0) || notified.some((id) => id !== session.account.id))
      complain(world, `the end of an import notified ${notified.join(', ')}`)
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
  // Of this life's brands: in others, lives that run beside it add members meanwhile.
  const here = `brand_id=in.(${world.slots.map(({ id }) => id).join(',')})`
  const members = await wire.asService(`memberships?select=brand_id,user_id&${here}`)
  const notified = await wire.asService(`notifications?select=brand_id,user_id,actor_id&${here}`)
  const known = new Set(rowsOf(members).map((row) => `${row['brand_id']} ${row['user_id']}`))
  for (const row of rowsOf(notified)) {
    if (!known.has(`${row['brand_id']} ${row['user_id']}`)) complain(world, 'somebody who is no member was notified')
    if (row['user_id'] === row['actor_id']) complain(world, 'somebody was notified of what they did')
  }
}

function rowsOf({ body }: { body: unknown }): Record<string, string>[] {
  return Array.isArray(body) ? body : []
}
