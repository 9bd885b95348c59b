import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { activeBrandState, useActiveBrand } from './active-brand.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { newId } from '#web/lib/new-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import type { Role } from '#web/data/server/rows.ts'
import { sessionState } from '#web/data/session/session.ts'

/** A row of list_brand_members (spec section 3). */
export interface Member {
  user_id: string
  email: string
  role: Role
  created_at: string
}

interface Members {
  brandId: string | null
  ready: boolean
  members: readonly Member[]
  error: string | null
}

const noMembers: Members = { brandId: null, ready: false, members: [], error: null }

/**
 * Returns the members of the active brand, from the server (list_brand_members). They are loaded again when a membership on this device changes.
 * `error`: the server's message, shown as 'Error loading members'. This list is not stored, because it contains email addresses of colleagues.
 */
export function useMembers(): { ready: boolean; members: readonly Member[]; error: string | null; reload: () => void } {
  const device = useDevice()
  const brandId = useActiveBrand().brand?.id ?? null
  const answer = useObservable(lastAnswer(device))
  const memberships = useBrandData()?.tables.memberships
  useEffect(() => {
    void load(device, brandId)
    return memberships?.subscribe((urgent) => {
      // `urgent`: the waiting operations of this user have changed, in any table. They do not change the members. After a failed request, the list is
      // loaded again only if the user tries again.
      if (!urgent && lastAnswer(device).get().error === null) void load(device, brandId)
    })
  }, [device, brandId, memberships])
  const current = answer.brandId === brandId ? answer : noMembers
  return {
    ready: current.ready,
    members: current.members,
    error: current.error,
    reload: () => void load(device, brandId),
  }
}

const lastAnswer = devicePart((device) => {
  const members = observable(noMembers)
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) members.set(noMembers)
  })
  return members
})
const requests = devicePart(() => ({ sent: 0 }))

async function load(device: Device, brandId: string | null): Promise<void> {
  if (!brandId) return
  requests(device).sent += 1
  const number = requests(device).sent
  const answer = await listMembers(device, brandId)
  // Only the answer to the last request is used. If no answer came, the list that is on screen stays.
  const isShown = lastAnswer(device).get().brandId === brandId && lastAnswer(device).get().error === null
  if (
    number !== requests(device).sent ||
    !sessionState(device).get().session ||
    (answer.error === noAnswerMessage && isShown)
  )
    return
  lastAnswer(device).set(answer)
}

/** Loads the list again. Resolves when the answer has been received. */
export function reloadMembers(device: Device): Promise<void> {
  return load(device, activeBrandState(device).get().brandId)
}

async function listMembers(device: Device, brandId: string): Promise<Members> {
  const userId = sessionState(device).get().session?.userId ?? ''
  try {
    const members = await rpc<Member[]>(device, userId, 'list_brand_members', { p_brand_id: brandId })
    return { brandId, ready: true, members, error: null }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { brandId, ready: true, members: [], error: error.status === 0 ? noAnswerMessage : error.message }
  }
}

/**
 * Adds a member by email address. Works only online, so the outcome is never 'queued'. Refusals: NOT_AUTHORIZED, USER_NOT_FOUND, ALREADY_MEMBER (spec
 * section 8).
 */
export async function addMember(device: Device, email: string, role: 'member' | 'admin'): Promise<Outcome> {
  const { brandId } = activeBrandState(device).get()
  const userId = sessionState(device).get().session?.userId ?? ''
  const args = { p_brand_id: brandId, p_email: email.trim(), p_role: role }
  const key = newId()
  const { error, status } = await askServer(
    device,
    (server) => server.rpc('add_brand_member_by_email', args).setHeader('Idempotency-Key', key),
    userId,
  )
  if (!error) return { status: 'saved', id: brandId ?? '' }
  return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
}
