import { invalidateLinks, endSessions, otherSessionsOf } from './account-actions.ts'
import { type Action, judgeAttempt, sessionOf } from './attempt.ts'
import { totpCode } from '#tests/harness/totp.ts'
import { type Account, levelOf, type Session, type World } from './world.ts'
import { type ReceivedResponse, isSuccess } from './api-client.ts'

/** Verifies a factor with the current code. A code works only once, so the server's mark of the last used code is deleted first. */
async function verifyFactor(
  world: World,
  session: Session,
  factor: { id: string; secret: string },
): Promise<ReceivedResponse> {
  const { api, sql } = world.site
  await sql.query('update auth.mfa_factors set last_totp_step = null where id = $1', [factor.id])
  const { token } = session
  const challenge = await api.auth('POST', `/factors/${factor.id}/challenge`, { token, body: {} })
  const body = { challenge_id: challenge.body?.id, code: totpCode(factor.secret) }
  return api.auth('POST', `/factors/${factor.id}/verify`, { token, body })
}

/** Raises the session to aal2. In the model, its earlier token, which proves only the password, becomes a session of its own. */
function raiseLevel(world: World, session: Session, { body }: ReceivedResponse): void {
  world.sessions.push({ ...session, name: `${session.name} by its first token`, hasOlderToken: true })
  Object.assign(session, { token: body.access_token, refreshToken: body.refresh_token, hasAal2Token: true })
  // Older tokens of this session that contain aal2 have this level again. They lost it when the earlier factor was removed.
  for (const anySession of world.sessions)
    if (anySession.id === session.id) anySession.isProved = anySession.hasAal2Token
}

/**
 * If the response is a success, ends the sessions `targets` in the model and returns true. If the server has refused, returns false, and records a
 * complaint for each target that has ended all the same.
 */
async function judgeEndOfSessions(
  world: World,
  session: Session,
  targets: readonly Session[],
  response: ReceivedResponse,
): Promise<boolean> {
  if (isSuccess(response)) {
    endSessions(targets)
    return true
  }
  for (const target of targets.filter(({ isAlive }) => isAlive)) {
    const { status } = await world.site.api.auth('GET', '/user', { token: target.token })
    if (status !== 200) world.complaints.push(`${target.name} has ended, although the server refused ${session.name}`)
  }
  return false
}

/** Sets all sessions of an account to the level without the second factor. */
function lowerLevel({ sessions }: World, account: Account): void {
  for (const session of sessions) if (session.account === account) session.isProved = false
}

export const factorActions = {
  async 'enrol factor'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined || session.account.factor !== null) return
    const { account } = session
    const body = { factor_type: 'totp', friendly_name: 'app' }
    const enrolment = await world.site.api.auth('POST', '/factors', { token: session.token, body })
    if (!isSuccess(enrolment)) return
    const factor = { id: enrolment.body.id, secret: enrolment.body.totp.secret }
    const response = await verifyFactor(world, session, factor)
    const sentence = `${session.name} enrols a second factor`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed: true, isDone: isSuccess(response) })) return
    account.factor = factor
    invalidateLinks(account)
    endSessions(otherSessionsOf(world, session))
    raiseLevel(world, session, response)
  },

  async 'prove factor'(world, step) {
    const session = sessionOf(world, step)
    const factor = session?.account.factor
    if (!session || !factor || session.isProved) return
    const response = await verifyFactor(world, session, factor)
    const sentence = `${session.name} proves the second factor`
    if (judgeAttempt(world, step, { what: sentence, isAllowed: true, isDone: isSuccess(response) }))
      raiseLevel(world, session, response)
  },

  async 'remove factor'(world, step) {
    const session = sessionOf(world, step)
    const factor = session?.account.factor
    if (!session || !factor) return
    const isAllowed = session.isProved
    const response = await world.site.api.auth('DELETE', `/factors/${factor.id}`, { token: session.token })
    if (
      !judgeAttempt(world, step, {
        what: `${session.name} removes the second factor`,
        isAllowed,
        isDone: isSuccess(response),
      })
    )
      return
    session.account.factor = null
    invalidateLinks(session.account)
    lowerLevel(world, session.account)
  },

  async 'end session'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const otherSessions = otherSessionsOf(world, session).filter(({ isAlive }) => isAlive)
    const target = otherSessions[step.affectedIndex % otherSessions.length]
    if (target === undefined) return
    const isAllowed = levelOf(session) > 0
    const response = await world.site.api.rpc('end_session', { p_id: target.id }, { token: session.token })
    judgeAttempt(world, step, { what: `${session.name} ends ${target.name}`, isAllowed, isDone: isSuccess(response) })
    const targetSessions = world.sessions.filter(({ id }) => id === target.id)
    await judgeEndOfSessions(world, session, targetSessions, response)
  },

  async 'end other sessions'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const otherSessions = otherSessionsOf(world, session)
    const isAllowed = levelOf(session) > 0
    const response = await world.site.api.rpc('end_other_sessions', {}, { token: session.token })
    judgeAttempt(world, step, {
      what: `${session.name} ends all other sessions`,
      isAllowed,
      isDone: isSuccess(response),
    })
    await judgeEndOfSessions(world, session, otherSessions, response)
  },
} satisfies Record<string, Action>
