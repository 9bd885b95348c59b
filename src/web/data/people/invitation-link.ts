import type { Device } from '#web/data/browser/device.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'
import { activeBrandState, chooseBrand } from './active-brand.ts'
import { loadMemberships } from './brands.ts'
import { noteFirstEntry } from './first-entry.ts'
import { invitations } from './invitations.ts'
import { reloadMembers } from './members.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'

/** Why an invitation link does not work: `replaced` by a newer one, or `unknown` to the server. */
export const linkEnds = ['used', 'revoked', 'replaced', 'expired', 'unknown'] as const
export type LinkEnded = (typeof linkEnds)[number]

/** What an invitation link offers. */
export interface LinkOffer {
  email: string
  brand: string
  role: string
  /** The inviter's name; null where they have gone. */
  invitedBy: string | null
  hasAccount: boolean
}

type Refused = { status: 'refused'; message: string; code: string | null }

/** `added`: the address had an account, and is a member now. */
export type LinkMade = { status: 'made'; address: string } | { status: 'added' } | Refused

/**
 * Makes an invitation link for an address and a role of the active brand; its address can be read this once. An earlier link of the same
 * invitation stops working. Refusals: NOT_AUTHORIZED, ALREADY_MEMBER, INVITATIONS_OFF.
 */
export async function makeInvitationLink(device: Device, email: string, role: string): Promise<LinkMade> {
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_email: email.trim(), p_role: role }
  const { data, error, status } = await askServer(device, (server) => server.rpc('make_invitation_link', args))
  if (error) return refused(status, error)
  await Promise.all([invitations(device).reload(), reloadMembers(device)])
  if (typeof data !== 'string') return { status: 'added' }
  const carried = new URLSearchParams({ token_hash: data, type: 'invitation', email: email.trim().toLowerCase() })
  return { status: 'made', address: `${location.origin}/auth/confirm#${carried}` }
}

/**
 * What a link offers, or why it does not work. `unreachable`: no answer came. `untold`: this backend does not say it before somebody has
 * signed in.
 */
export type LinkRead =
  | { state: 'open'; offer: LinkOffer }
  | { state: LinkEnded }
  | { state: 'unreachable'; message: string }
  | { state: 'untold' }

export async function readInvitationLink(device: Device, token: string): Promise<LinkRead> {
  const { url, publishableKey } = device.readBackend()
  const answer = await device
    .fetch(`${url}/auth/v1/invitation`, {
      method: 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    .catch(() => null)
  const body: unknown = await answer?.json().catch(() => null)
  if (answer?.status === 404) return { state: 'untold' }
  if (answer?.status === 400) return { state: 'unknown' }
  if (!answer?.ok) return { state: 'unreachable', message: textOf(body, 'msg') ?? noAnswerMessage }
  if (textOf(body, 'state') !== 'open') return { state: endOf(textOf(body, 'state')) }
  const offer = {
    email: textOf(body, 'email') ?? '',
    brand: textOf(body, 'brand') ?? '',
    role: textOf(body, 'role') ?? 'member',
    invitedBy: textOf(body, 'invited_by'),
    hasAccount: fieldOf(body, 'has_account') === true,
  }
  return { state: 'open', offer }
}

/** `other`: the link is for another address, `email`. */
export type LinkAccepted =
  | { status: 'joined' }
  | { status: 'ended'; why: LinkEnded }
  | { status: 'other'; email: string }
  | Refused

/** Makes the signed-in user a member by a link, and the brand the active one of this tab. */
export async function acceptInvitationLink(device: Device, token: string): Promise<LinkAccepted> {
  const { data, error, status } = await askServer(device, (server) =>
    server.rpc('accept_invitation_link', { p_token: token }),
  )
  if (!error) {
    noteFirstEntry(device, String(data))
    await loadMemberships(device)
    await chooseBrand(device, String(data))
    return { status: 'joined' }
  }
  const refusal = refused(status, error)
  if (isRefusal(refusal, 'LINK_ENDED')) return { status: 'ended', why: endOf(error.details) }
  if (isRefusal(refusal, 'OTHER_ADDRESS')) return { status: 'other', email: error.details ?? '' }
  return refusal
}

function endOf(state: string | null): LinkEnded {
  return linkEnds.find((known) => known === state) ?? 'unknown'
}

function refused(status: number, error: { message: string; code: string }): Refused {
  return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
}
