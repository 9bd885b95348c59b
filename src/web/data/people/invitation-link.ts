import type { Device } from '#web/data/browser/device.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'
import { activeBrandState, chooseBrand } from './active-brand.ts'
import { loadMemberships } from './brands.ts'
import { recordFirstEntry } from './first-entry.ts'
import { invitations } from './invitations.ts'
import { reloadMembers } from './members.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'

/** The reasons why an invitation link does not work. `replaced`: a newer link was created. `unknown`: the server does not know the link. */
export const linkEndReasons = ['used', 'revoked', 'replaced', 'expired', 'unknown'] as const
export type LinkEndReason = (typeof linkEndReasons)[number]

/** The invitation that a link belongs to. */
export interface LinkOffer {
  email: string
  brand: string
  role: string
  /** The inviter's name. Null if the inviter has left. */
  invitedBy: string | null
  hasAccount: boolean
}

type Refusal = { status: 'refused'; message: string; code: string | null }

/** `made`: `address` is the URL of the link. `added`: the email address already had an account, which is now a member. */
export type InvitationLinkResult = { status: 'made'; address: string } | { status: 'added' } | Refusal

/**
 * Creates an invitation link for an email address and a role of the active brand. Only this call returns the URL of the link. An earlier link of the
 * same invitation stops working. Refusals: NOT_AUTHORIZED, ALREADY_MEMBER, INVITATIONS_OFF.
 */
export async function createInvitationLink(device: Device, email: string, role: string): Promise<InvitationLinkResult> {
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_email: email.trim(), p_role: role }
  const { data, error, status } = await askServer(device, (server) => server.rpc('make_invitation_link', args))
  if (error) return refused(status, error)
  await Promise.all([invitations(device).reload(), reloadMembers(device)])
  if (typeof data !== 'string') return { status: 'added' }
  const parameters = new URLSearchParams({ token_hash: data, type: 'invitation', email: email.trim().toLowerCase() })
  return { status: 'made', address: `${location.origin}/auth/confirm#${parameters}` }
}

/**
 * The state of a link: the invitation, or the reason why the link does not work. `unreachable`: no answer came, or the server refused to answer
 * (`message`), for example because of too many requests. `hidden`: this backend does not return the state before sign-in.
 */
export type InvitationLinkState =
  | { state: 'open'; offer: LinkOffer }
  | { state: LinkEndReason }
  | { state: 'unreachable'; message: string }
  | { state: 'hidden' }

/** Reads the state of an invitation link. Rejects only if no backend is configured (`readBackend`). */
export async function readInvitationLink(device: Device, token: string): Promise<InvitationLinkState> {
  const { url, publishableKey } = device.readBackend()
  const response = await device
    .fetch(`${url}/auth/v1/invitation`, {
      method: 'POST',
      headers: { apikey: publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    .catch(() => null)
  const body: unknown = await response?.json().catch(() => null)
  if (response?.status === 404) return { state: 'hidden' }
  if (response?.status === 400) return { state: 'unknown' }
  if (!response?.ok) return { state: 'unreachable', message: textOf(body, 'msg') ?? noAnswerMessage }
  if (textOf(body, 'state') !== 'open') return { state: endReasonOf(textOf(body, 'state')) }
  const offer = {
    email: textOf(body, 'email') ?? '',
    brand: textOf(body, 'brand') ?? '',
    role: textOf(body, 'role') ?? 'member',
    invitedBy: textOf(body, 'invited_by'),
    hasAccount: fieldOf(body, 'has_account') === true,
  }
  return { state: 'open', offer }
}

/** The result of accepting an invitation link. `other`: the link is for another email address, `email`. */
export type LinkAcceptance =
  | { status: 'joined' }
  | { status: 'ended'; why: LinkEndReason }
  | { status: 'other'; email: string }
  | Refusal

/** Makes the signed-in user a member by a link, and the brand the active brand of this tab. */
export async function acceptInvitationLink(device: Device, token: string): Promise<LinkAcceptance> {
  const { data, error, status } = await askServer(device, (server) =>
    server.rpc('accept_invitation_link', { p_token: token }),
  )
  if (!error) {
    recordFirstEntry(device, String(data))
    await loadMemberships(device)
    await chooseBrand(device, String(data))
    return { status: 'joined' }
  }
  const refusal = refused(status, error)
  if (isRefusal(refusal, 'LINK_ENDED')) return { status: 'ended', why: endReasonOf(error.details) }
  if (isRefusal(refusal, 'OTHER_ADDRESS')) return { status: 'other', email: error.details ?? '' }
  return refusal
}

function endReasonOf(state: string | null): LinkEndReason {
  return linkEndReasons.find((known) => known === state) ?? 'unknown'
}

function refused(status: number, error: { message: string; code: string }): Refusal {
  return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
}
