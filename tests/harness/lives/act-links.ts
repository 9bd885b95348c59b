import { addSession, awaitMember, changed, newUserAgent, takeAddress } from './act-accounts.ts'
import { type Act, judge } from './attempt.ts'
import {
  type Account,
  type Link,
  livingBrands,
  markerOf,
  type Membership,
  newMarker,
  noteAddress,
  peopleNames,
  type World,
} from './world.ts'
import { type Answer, isDone } from './wire.ts'

/** Whether a link is still valid. */
function isGood(link: Link): boolean | 'perhaps' {
  const { type, account, brand, invitation } = link
  if (type === 'invite') {
    if (brand === null || invitation === null || !brand.isAlive || !brand.invitations.includes(invitation)) return false
    const role = brand.members.get(invitation.by)?.role
    if (role === undefined || role === 'member' || (invitation.role === 'owner' && role !== 'owner')) return false
    return invitation.hasLapsed ? 'perhaps' : true
  }
  if (link.isSpent || account === null || account.stamp !== link.stamp) return false
  if (type === 'email_change') return account.wanted?.email === link.wanted
  return type === 'recovery' || !account.isConfirmed
}

/** Uses a link and its siblings: of one kind only the first counts. */
function spend({ links }: World, link: Link): void {
  link.isSpent = true
  if (link.type === 'email_change') return
  for (const other of links) if (other.type === link.type && other.account === link.account) other.isSpent = true
}

/** Accepting an invitation's link makes the person a member, with a new account if the address had none. */
function joinByLink(world: World, link: Link, answer: Answer): void {
  const { brand, invitation } = link
  const account = accountOfAnswer(world, link, answer)
  const session = addSession(world, account, answer)
  if (brand === null || invitation === null || !brand.isAlive) return
  brand.invitations = brand.invitations.filter((one) => one !== invitation)
  const membership: Membership = { role: invitation.role, displayName: null, isOpened: true }
  if (!brand.members.has(account)) brand.members.set(account, membership)
  session.opened.add(brand.members.get(account) ?? membership)
  brand.known.add(markerOf(account.email))
}

function accountOfAnswer(world: World, link: Link, { body }: Answer): Account {
  const known = world.accounts.find(({ id }) => id === body.user?.id)
  if (known) {
    known.isConfirmed = true
    return known
  }
  const person = Math.max(world.freeAddresses.indexOf(link.recipient), 0)
  const account: Account = {
    id: body.user?.id ?? '',
    person,
    name: `${peopleNames[person]}'s invited account`,
    email: link.recipient,
    password: null,
    isConfirmed: true,
    factor: null,
    stamp: 0,
    wanted: null,
  }
  world.accounts.push(account)
  noteAddress(world, person, link.recipient)
  return account
}

export const linkActs = {
  async 'use link'(world, step) {
    const link = world.links.at(-1 - (step.which % Math.max(world.links.length, 1)))
    if (link === undefined) return
    const good = isGood(link)
    const made: Made = { account: null }
    const userAgent = link.account ? newUserAgent(world, link.account) : newMarker(world, ownBrowser(link, made))
    const body = { type: link.type, token_hash: link.token }
    const answer = await world.site.wire.auth('POST', '/verify', { body, userAgent })
    const age = good === false ? 'an old' : 'a good'
    const what = `${age} link of type ${link.type} to ${link.recipient} is used`
    if (!judge(world, step, { what, isAllowed: good, isDone: isDone(answer) })) return
    const { account } = link
    if (link.type === 'invite') {
      joinByLink(world, link, answer)
      made.account = world.accounts.find(({ id }) => id === answer.body.user?.id) ?? null
      for (const one of world.accounts) awaitMember(world, one)
      return
    }
    spend(world, link)
    if (account === null) return
    if (link.type === 'email_change' && account.wanted) {
      account.wanted.agreed.add(link.recipient)
      if (answer.body.access_token) takeAddress(world, account, account.wanted.email)
    }
    if (link.type === 'signup' || !account.isConfirmed) {
      if (!account.isConfirmed) changed(account)
      account.isConfirmed = true
      awaitMember(world, account)
      for (const brand of livingBrands(world))
        if (brand.members.get(account)?.isOpened) brand.known.add(markerOf(account.email))
    }
    if (answer.body.access_token) addSession(world, account, answer)
  },
} satisfies Record<string, Act>

/** The account that a link has created, whatever its address is later. */
interface Made {
  account: Account | null
}

/** The session of an account that the link may create. */
function ownBrowser({ recipient }: Link, made: Made) {
  return {
    what: `a browser of ${recipient}`,
    mayBeRead: ({ account }: { account: Account }) =>
      made.account === null ? account.email === recipient : account === made.account,
  }
}
