import { changed, endSessions, othersOf } from './act-accounts.ts'
import { type Act, judge, sessionOf } from './attempt.ts'
import { totpCode } from '#tests/harness/totp.ts'
import { type Account, levelOf, type Session, type World } from './world.ts'
import { type Answer, isDone } from './wire.ts'

/** Verifies a factor with the current code. Each code works once, so the test moves the last use into the past. */
async function prove(world: World, session: Session, factor: { id: string; secret: string }): Promise<Answer> {
  const { wire, sql } = world.site
  await sql.query('update auth.mfa_factors set last_totp_step = null where id = $1', [factor.id])
  const { token } = session
  const challenge = await wire.auth('POST', `/factors/${factor.id}/challenge`, { token, body: {} })
  const body = { challenge_id: challenge.body?.id, code: totpCode(factor.secret) }
  return wire.auth('POST', `/factors/${factor.id}/verify`, { token, body })
}

/** The session rises to aal2. Its earlier token is kept: it proves only the password. */
function rise(world: World, session: Session, { body }: Answer): void {
  world.sessions.push({ ...session, name: `${session.name} by its first token`, isFormer: true })
  Object.assign(session, { token: body.access_token, refreshToken: body.refresh_token, saysProved: true })
  // A token with aal2, of the same session but from before its factor was removed, is as good as the session.
  for (const one of world.sessions) if (one.id === session.id) one.isProved = one.saysProved
}

/** Ends sessions of the account, or expects a refusal: a session without the second factor ends no other. */
async function end(world: World, session: Session, targets: readonly Session[], answer: Answer): Promise<boolean> {
  if (isDone(answer)) {
    endSessions(targets)
    return true
  }
  for (const target of targets.filter(({ isAlive }) => isAlive)) {
    const { status } = await world.site.wire.auth('GET', '/user', { token: target.token })
    if (status !== 200) world.complaints.push(`${target.name} has ended, although ${session.name} was refused that`)
  }
  return false
}

function fall({ sessions }: World, account: Account): void {
  for (const session of sessions) if (session.account === account) session.isProved = false
}

export const factorActs = {
  async 'enrol factor'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined || session.account.factor !== null) return
    const { account } = session
    const body = { factor_type: 'totp', friendly_name: 'app' }
    const made = await world.site.wire.auth('POST', '/factors', { token: session.token, body })
    if (!isDone(made)) return
    const factor = { id: made.body.id, secret: made.body.totp.secret }
    const answer = await prove(world, session, factor)
    const what = `${session.name} enrols a second factor`
    if (!judge(world, step, { what, isAllowed: true, isDone: isDone(answer) })) return
    account.factor = factor
    changed(account)
    endSessions(othersOf(world, session))
    rise(world, session, answer)
  },

  async 'prove factor'(world, step) {
    const session = sessionOf(world, step)
    const factor = session?.account.factor
    if (!session || !factor || session.isProved) return
    const answer = await prove(world, session, factor)
    const what = `${session.name} proves the second factor`
    if (judge(world, step, { what, isAllowed: true, isDone: isDone(answer) })) rise(world, session, answer)
  },

  async 'remove factor'(world, step) {
    const session = sessionOf(world, step)
    const factor = session?.account.factor
    if (!session || !factor) return
    const isAllowed = session.isProved
    const answer = await world.site.wire.auth('DELETE', `/factors/${factor.id}`, { token: session.token })
    if (!judge(world, step, { what: `${session.name} removes the second factor`, isAllowed, isDone: isDone(answer) }))
      return
    session.account.factor = null
    changed(session.account)
    fall(world, session.account)
  },

  async 'end session'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const others = othersOf(world, session).filter(({ isAlive }) => isAlive)
    const target = others[step.other % others.length]
    if (target === undefined) return
    const isAllowed = levelOf(session) > 0
    const answer = await world.site.wire.rpc('end_session', { p_id: target.id }, { token: session.token })
    judge(world, step, { what: `${session.name} ends ${target.name}`, isAllowed, isDone: isDone(answer) })
    const same = world.sessions.filter(({ id }) => id === target.id)
    await end(world, session, same, answer)
  },

  async 'end other sessions'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const others = othersOf(world, session)
    const isAllowed = levelOf(session) > 0
    const answer = await world.site.wire.rpc('end_other_sessions', {}, { token: session.token })
    judge(world, step, { what: `${session.name} ends all other sessions`, isAllowed, isDone: isDone(answer) })
    await end(world, session, others, answer)
  },
} satisfies Record<string, Act>
