import { type Device } from '#web/data/browser/device.ts'
import { activeBrandState } from './active-brand.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { RpcError } from '#web/data/server/rpc.ts'

/** A place in the active brand kept for an address that has no account yet. */
export interface Invitation {
  id: string
  email: string
  role: 'member' | 'admin' | 'owner'
  invited_by: string | null
  sent_at: string
  expires_at: string
}

/** The pending ones of the active brand, newest first; nobody but admins and owners sees any. */
export const invitations = onlineValue<Invitation[]>(async (device) => {
  const { data, error, status } = await askServer(device, (server) =>
    server
      .from('invitations')
      .select('id,email,role,invited_by,sent_at,expires_at')
      .eq('brand_id', brandId(device))
      .order('created_at', { ascending: false }),
  )
  if (error) throw new RpcError(status === 0 ? noAnswerMessage : error.message, status, error.code || null)
  return data
}, activeBrandState)

/** Invites an address. Refusals: NOT_AUTHORIZED, ALREADY_MEMBER, INVITATIONS_OFF. */
export function inviteMember(device: Device, email: string, role: 'member' | 'admin'): Promise<Outcome> {
  const args = { p_brand_id: brandId(device), p_email: email.trim(), p_role: role }
  return andReload(
    device,
    changeOnline(device, brandId(device), (server) => server.rpc('invite_member', args), 'call'),
  )
}

/** Sends the mail again; the seven days begin anew. */
export function resendInvitation(device: Device, id: string): Promise<Outcome> {
  const args = { p_brand_id: brandId(device), p_id: id }
  return andReload(
    device,
    changeOnline(device, id, (server) => server.rpc('resend_invitation', args), 'call'),
  )
}

/** Takes an invitation back: its link opens nothing any more. */
export function withdrawInvitation(device: Device, id: string): Promise<Outcome> {
  const args = { p_brand_id: brandId(device), p_id: id }
  return andReload(
    device,
    changeOnline(device, id, (server) => server.rpc('withdraw_invitation', args), 'call'),
  )
}

function brandId(device: Device): string {
  return activeBrandState(device).get().brandId ?? ''
}

async function andReload(device: Device, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  await invitations(device).reload()
  return outcome
}
