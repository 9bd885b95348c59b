import {
  addSession,
  recordPossibleMemberships,
  invalidateLinks,
  newUserAgent,
  applyNewAddress,
} from './account-actions.ts'
import { type Action, judgeAttempt } from './attempt.ts'
import {
  type Account,
  type Link,
  livingBrands,
  markerOf,
  nameAtJoining,
  type Membership,
  newMarker,
  recordAddress,
  peopleNames,
  type World,
} from './world.ts'
import { type ReceivedResponse, isSuccess } from './api-client.ts'

/** Returns whether a link is still valid; 'perhaps' if the rules do not decide. */
function isLinkValid(link: Link): boolean | 'perhaps' {
  const { type, account, brand, invitation } = link
  if (type === 'invite') {
    if (brand === null || invitation === null || !brand.isAlive || !brand.invitations.includes(invitation)) return false
    const role = brand.members.get(invitation.by)?.role
    if (role === undefined || role === 'member' || (invitation.role === 'owner' && role !== 'owner')) return false
    return invitation.hasLapsed ? 'perhaps' : true
  }
  if (link.isUsed || account === null || account.linkVersion !== link.linkVersion) return false
  if (type === 'email_change') return account.requestedAddress?.email === link.newEmail
  return type === 'recovery' || !account.isConfirmed
}

/**
 * Marks a link and the account's other links of this type as used. For a change of address marks only this link: each of the two addresses
 * has its own link.
 */
function markUsed({ links }: World, link: Link): void {
  link.isUsed = true
  if (link.type === 'email_change') return
  for (const otherLink of links)
    if (otherLink.type === link.type && otherLink.account === link.account) otherLink.isUsed = true
}

/** Makes the person a member in the model, with a new account if the e-mail address had none. */
function joinByLink(world: World, link: Link, response: ReceivedResponse): void {
  const { brand, invitation } = link
  const account = accountOfResponse(world, link, response)
  const session = addSession(world, account, response)
  if (brand === null || invitation === null || !brand.isAlive) return
  brand.invitations = brand.invitations.filter((other) => other !== invitation)
  const displayName = nameAtJoining(brand, account)
  const membership: Membership = { role: invitation.role, displayName, isOpened: true }
  if (!brand.members.has(account)) brand.members.set(account, membership)
  session.opened.add(brand.members.get(account) ?? membership)
  brand.memberVisibleAddresses.add(markerOf(account.email))
}

function accountOfResponse(world: World, link: Link, { body }: ReceivedResponse): Account {
  const knownAccount = world.accounts.find(({ id }) => id === body.user?.id)
  if (knownAccount) {
    knownAccount.isConfirmed = true
    return knownAccount
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
    linkVersion: 0,
    requestedAddress: null,
  }
  world.accounts.push(account)
  recordAddress(world, person, link.recipient)
  return account
}

export const linkActions = {
  async 'use link'(world, step) {
    const link = world.links.at(-1 - (step.itemIndex % Math.max(world.links.length, 1)))
    if (link === undefined) return
    const isValid = isLinkValid(link)
    const joinedAccount: JoinedAccount = { account: null }
    const userAgent = link.account
      ? newUserAgent(world, link.account)
      : newMarker(world, ownBrowser(link, joinedAccount))
    const body = { type: link.type, token_hash: link.token }
    const response = await world.site.api.auth('POST', '/verify', { body, userAgent })
    const validityLabel = isValid === false ? 'an old' : 'a good'
    const sentence = `${validityLabel} link of type ${link.type} to ${link.recipient} is used`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed: isValid, isDone: isSuccess(response) })) return
    const { account } = link
    if (link.type === 'invite') {
      joinByLink(world, link, response)
      joinedAccount.account = world.accounts.find(({ id }) => id === response.body.user?.id) ?? null
      for (const anyAccount of world.accounts) recordPossibleMemberships(world, anyAccount)
      return
    }
    markUsed(world, link)
    if (account === null) return
    if (link.type === 'email_change' && account.requestedAddress) {
      account.requestedAddress.agreed.add(link.recipient)
      if (response.body.access_token) applyNewAddress(world, account, account.requestedAddress.email)
    }
    if (link.type === 'signup' || !account.isConfirmed) {
      if (!account.isConfirmed) invalidateLinks(account)
      account.isConfirmed = true
      recordPossibleMemberships(world, account)
      for (const brand of livingBrands(world))
        if (brand.members.get(account)?.isOpened) brand.memberVisibleAddresses.add(markerOf(account.email))
    }
    if (response.body.access_token) addSession(world, account, response)
  },
} satisfies Record<string, Action>

interface JoinedAccount {
  /** The account that joined by the invitation's link, as the response of the server names it. Null before the link is used. */
  account: Account | null
}

/**
 * Returns the secret (the name) of a browser that opens the link. Before the link is used, only the recipient's account may read the secret.
 * Afterwards, only `joined` may read it.
 */
function ownBrowser({ recipient }: Link, joined: JoinedAccount) {
  return {
    what: `a browser of ${recipient}`,
    mayBeRead: ({ account }: { account: Account }) =>
      joined.account === null ? account.email === recipient : account === joined.account,
  }
}
