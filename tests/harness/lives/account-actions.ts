import { decodeJwt } from 'jose'
import type { Action } from './attempt.ts'
import { accountOf, judgeAttempt, affectedAccount, sessionOf } from './attempt.ts'
import { readMail } from './mailbox.ts'
import {
  type Account,
  levelOf,
  livingBrands,
  markerOf,
  newMarker,
  recordAddress,
  peopleNames,
  type Session,
  type World,
} from './world.ts'
import { type ReceivedResponse, isSuccess } from './api-client.ts'

/** Signs in, with a unique browser name. Returns the session, or undefined if the server refuses. */
export async function signIn(world: World, account: Account): Promise<Session | undefined> {
  const userAgent = newUserAgent(world, account)
  const body = { email: account.email, password: account.password ?? 'none' }
  const response = await world.site.api.auth('POST', '/token?grant_type=password', { body, userAgent })
  return isSuccess(response) ? addSession(world, account, response) : undefined
}

/** Adds to the model the session that the server has created. `body`: the body of the response, which contains the tokens. */
export function addSession(world: World, account: Account, { body }: ReceivedResponse): Session {
  const number = world.sessions.filter((one) => one.account === account).length + 1
  const session: Session = {
    id: sessionId(body.access_token),
    account,
    name: `${account.name}'s session ${number}`,
    token: body.access_token,
    refreshToken: body.refresh_token,
    isAlive: true,
    hasAal2Token: false,
    isProved: false,
    hasOlderToken: false,
    isFresh: true,
    opened: new Set(),
  }
  world.sessions.push(session)
  return session
}

/** Returns a unique browser name, which only the sessions of this account may read. */
export function newUserAgent(world: World, account: Account): string {
  return newMarker(world, {
    what: `a browser of ${account.name}`,
    mayBeRead: (reader) => reader.account === account,
  })
}

/** Invalidates the account's older links in the model. Called after a change of e-mail address, password or factor, and after its confirmation. */
export function invalidateLinks(account: Account): void {
  account.linkVersion += 1
}

/** Sets the new e-mail address of an account in the model. Members of the brands that the account has opened may now read it. */
export function applyNewAddress(world: World, account: Account, email: string): void {
  account.email = email
  account.requestedAddress = null
  invalidateLinks(account)
  recordAddress(world, account.person, email)
  for (const brand of livingBrands(world))
    if (brand.members.get(account)?.isOpened) brand.memberVisibleAddresses.add(markerOf(email))
  recordPossibleMemberships(world, account)
}

/**
 * Records in the model that the account may have joined the brands that have invited its e-mail address. Does nothing if mail has not confirmed the
 * address.
 */
export function recordPossibleMemberships(world: World, account: Account): void {
  if (world.site.mode !== 'mailed' || !account.isConfirmed) return
  for (const brand of livingBrands(world)) {
    for (const { email, role } of brand.invitations.filter(({ email }) => email === account.email))
      if (email === account.email) brand.possibleMembers.set(account, role)
  }
}

/** Marks these sessions as ended in the model. */
export function endSessions(sessions: readonly Session[]): void {
  for (const session of sessions) session.isAlive = false
}

/** Returns the other sessions of the session's account. */
export const otherSessionsOf = ({ sessions }: World, session: Session) =>
  sessions.filter(({ account, id }) => account === session.account && id !== session.id)

function sessionId(token: string): string {
  return String(decodeJwt(token).session_id)
}

const signOutScopes = ['local', 'others', 'global'] as const

export const accountActions = {
  async 'sign in'(world, step) {
    const account = accountOf(world, step)
    const session = account.password === null ? undefined : await signIn(world, account)
    judgeAttempt(world, step, {
      what: `${account.name} signs in`,
      isAllowed: account.isConfirmed,
      isDone: session !== undefined,
    })
  },

  async 'sign out'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const scope = signOutScopes[step.affectedIndex % signOutScopes.length] ?? 'local'
    const response = await world.site.api.auth('POST', `/logout?scope=${scope}`, { token: session.token })
    const sentence = `${session.name} signs out (${scope})`
    const isProved = levelOf(session) > 0
    if (
      !judgeAttempt(world, step, {
        what: sentence,
        isAllowed: isProved || scope !== 'others',
        isDone: isSuccess(response),
      })
    )
      return
    if (scope !== 'local' && isProved) endSessions(otherSessionsOf(world, session))
    if (scope !== 'others') endSessions(world.sessions.filter(({ id }) => id === session.id))
  },

  async 'sign up'(world, step) {
    const { site, freeAddresses, accounts } = world
    const email = freeAddresses[step.who] ?? ''
    if (accounts.some((account) => account.email === email)) return
    const isInvited = livingBrands(world).some(({ invitations }) => invitations.some((one) => one.email === email))
    const account: Account = {
      id: '',
      person: step.who,
      name: `${peopleNames[step.who]}'s second account`,
      email,
      password: `a horse ${world.tag}`,
      isConfirmed: site.mode !== 'mailed',
      factor: null,
      linkVersion: 0,
      requestedAddress: null,
    }
    const userAgent = newUserAgent(world, account)
    const response = await site.api.auth('POST', '/signup', { body: { email, password: account.password }, userAgent })
    const sentence = `${peopleNames[step.who]} signs up with ${email}`
    const isAllowed = site.mode !== 'invited' || isInvited
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    account.id = response.body.user?.id ?? response.body.id
    accounts.push(account)
    recordAddress(world, step.who, email)
    if (response.body.access_token) addSession(world, account, response)
    recordPossibleMemberships(world, account)
    await readMail(world)
  },

  /** Makes the person's sign-ins older than an hour, so that they no longer count as a recent proof. */
  async 'an hour passes'(world, step) {
    const { site, sessions } = world
    const ownSessions = sessions.filter(({ account, isAlive }) => isAlive && account.person === step.who)
    await site.sql.query(
      `update auth.mfa_amr_claims set created_at = created_at - interval '61 minutes', updated_at = updated_at - interval '61 minutes'
       where session_id = any ($1)`,
      [ownSessions.map(({ id }) => id)],
    )
    for (const session of ownSessions.filter(({ hasOlderToken }) => !hasOlderToken)) {
      const body = { refresh_token: session.refreshToken }
      const response = await site.api.auth('POST', '/token?grant_type=refresh_token', { body })
      if (!isSuccess(response)) continue
      Object.assign(session, {
        token: response.body.access_token,
        refreshToken: response.body.refresh_token,
        isFresh: false,
      })
    }
    judgeAttempt(world, step, {
      what: `an hour passes for ${peopleNames[step.who]}`,
      isAllowed: true,
      isDone: ownSessions.length > 0,
    })
  },

  async 'change address'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const { account } = session
    const email = world.freeAddresses[step.affectedIndex % world.freeAddresses.length] ?? ''
    if (world.accounts.some((one) => one.email === email)) return
    const hasPassword = step.isVariant && account.password !== null
    const body = { email, ...(hasPassword ? { current_password: account.password } : {}) }
    const response = await world.site.api.auth('PUT', '/user', { token: session.token, body })
    const isProved = hasPassword || session.isFresh || account.password === null
    const isAllowed = levelOf(session) > 0 && isProved
    const how = hasPassword ? 'with the password' : session.isFresh ? 'just after the sign-in' : 'without the password'
    const sentence = `${session.name} changes the address to ${email}, ${how}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    if (world.site.mode === 'mailed') {
      account.requestedAddress = { email, agreed: new Set() }
      recordAddress(world, account.person, email)
      await readMail(world)
    } else applyNewAddress(world, account, email)
  },

  async 'change password'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    const { account } = session
    const password = `${world.tag} horse ${world.log.length}`
    const hasPassword = step.isVariant && account.password !== null
    const body = { password, ...(hasPassword ? { current_password: account.password } : {}) }
    const response = await world.site.api.auth('PUT', '/user', { token: session.token, body })
    const isAllowed = levelOf(session) > 0 && (hasPassword || session.isFresh || account.password === null)
    const sentence = `${session.name} changes the password`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    account.password = password
    invalidateLinks(account)
    endSessions(otherSessionsOf(world, session))
  },

  async 'forget password'(world, step) {
    const account = step.isVariant ? affectedAccount(world, step) : accountOf(world, step)
    const response = await world.site.api.auth('POST', '/recover', { body: { email: account.email } })
    const sentence = `somebody requests a link for ${account.name}'s forgotten password`
    judgeAttempt(world, step, { what: sentence, isAllowed: true, isDone: isSuccess(response) })
    await readMail(world)
  },
} satisfies Record<string, Action>
