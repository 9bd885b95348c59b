import { randomUUID } from 'node:crypto'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt, affectedAccount } from './attempt.ts'
import { complain, isMember, newMarker, type Session, type World } from './world.ts'
import { hasRows, isSuccess } from './api-client.ts'

export const notificationActions = {
  /**
   * Creates a task, assigned to the affected account if `isVariant` is true. If the brand has a company, mentions the affected account in a note about the
   * company. Then tries to reach notifications of others.
   */
  async 'assign and mention'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const affected = affectedAccount(world, step)
    const { api } = world.site
    const { token } = session
    const marker = newMarker(world, {
      what: `a task of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => isMember(reader, brand),
    })
    const id = randomUUID()
    const body = { id, brand_id: brand.id, title: marker, assignee_id: step.isVariant ? affected.id : null }
    const task = await api.rest('POST', 'tasks', { token, body })
    // The database refuses an assignee who is not a member.
    const isAllowed = isMember(session, brand) && (step.isVariant ? 'perhaps' : true)
    const sentence = `${session.name} gives ${affected.name} a task of ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(task) }))
      brand.records.push({ id, table: 'tasks', marker, isDeleted: false })
    const company_id = brand.records.find(({ table, isDeleted }) => table === 'companies' && !isDeleted)?.id
    if (company_id) {
      const text = `${marker} @[${affected.name}](user:${affected.id})`
      await api.rest('POST', 'notes', {
        token,
        body: { id: randomUUID(), brand_id: brand.id, body: text, company_id },
      })
    }
    await tryNotificationsOfOthers(world, session)
  },
  /**
   * Begins an import. A session of another account, if there is one, tries to end the import. Then the session that began the import ends it. Only
   * the account of this session may be notified.
   */
  async 'end import'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const { api } = world.site
    const otherSession = world.sessions.find(({ account, isAlive }) => isAlive && account !== session.account)
    const importValues = { p_brand_id: brand.id, p_import_id: randomUUID() }
    const marker = newMarker(world, {
      what: `an import of ${brandLabel(world, brand)}`,
      mayBeRead: (reader) => reader.account === session.account && isMember(reader, brand),
    })
    const beginResponse = await api.rpc('begin_import', { ...importValues, p_file: marker }, { token: session.token })
    const sentence = `${session.name} imports into ${brandLabel(world, brand)}`
    judgeAttempt(world, step, { what: sentence, isAllowed: isMember(session, brand), isDone: isSuccess(beginResponse) })
    const endValues = { ...importValues, p_is_complete: true, p_imported: 3, p_skipped: 1 }
    if (otherSession) {
      await api.rpc('end_import', endValues, { token: otherSession.token })
      if (step.isVariant)
        await api.rpc('set_pushed_kind', { p_kind: 'mentioned', p_is_on: false }, { token: otherSession.token })
    }
    const notificationsPath = `notifications?record_id=eq.${importValues.p_import_id}&select=user_id`
    if (rowsOf(await api.asService(notificationsPath)).length > 0)
      complain(world, `an import was ended by somebody else`)
    await api.rpc('end_import', endValues, { token: session.token })
    const notifiedIds = rowsOf(await api.asService(notificationsPath)).map((row) => row['user_id'])
    if (
      notifiedIds.length !== (isSuccess(beginResponse) ? 1 : 0) ||
      notifiedIds.some((id) => id !== session.account.id)
    )
      complain(world, `the end of an import notified ${notifiedIds.join(', ')}`)
    await tryNotificationsOfOthers(world, session)
  },
} satisfies Record<string, Action>

/**
 * Tries to read the notifications of others, and to mark them as read. Both must fail. Then checks the recipients of all notifications of this life's
 * brands.
 */
async function tryNotificationsOfOthers(world: World, { name, token, account }: Session): Promise<void> {
  const { api } = world.site
  const foreignPath = `notifications?user_id=neq.${account.id}`
  const readResponse = await api.rest('GET', `${foreignPath}&select=id`, { token })
  const markResponse = await api.rest('PATCH', foreignPath, {
    token,
    body: { read_at: '2026-01-01T00:00:00Z' },
    withRows: true,
  })
  if (hasRows(readResponse) || hasRows(markResponse)) complain(world, `${name} reached notifications of others`)
  // Checks only the brands of this life, because parallel lives add members to their own brands meanwhile.
  const brandFilter = `brand_id=in.(${world.slots.map(({ id }) => id).join(',')})`
  const members = await api.asService(`memberships?select=brand_id,user_id&${brandFilter}`)
  const notificationRows = await api.asService(`notifications?select=brand_id,user_id,actor_id&${brandFilter}`)
  const memberKeys = new Set(rowsOf(members).map((row) => `${row['brand_id']} ${row['user_id']}`))
  for (const row of rowsOf(notificationRows)) {
    if (!memberKeys.has(`${row['brand_id']} ${row['user_id']}`))
      complain(world, 'somebody who is no member was notified')
    if (row['user_id'] === row['actor_id']) complain(world, 'somebody was notified of what they did')
  }
}

function rowsOf({ body }: { body: unknown }): Record<string, string>[] {
  return Array.isArray(body) ? body : []
}
