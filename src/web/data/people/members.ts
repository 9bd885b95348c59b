import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
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

/** A line of list_brand_members (spec section 3). */
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

const nobody: Members = { brandId: null, ready: false, members: [], error: null }

/**
 * Members of the active brand, asked online (list_brand_members), and anew when this device hears of a change. `error`: the server's
 * message, 'Error loading members'. The one list that is not kept on this device: e-mail addresses of colleagues.
 */
export function useMembers(): { ready: boolean; members: readonly Member[]; error: string | null; reload: () => void } {
  const device = useDevice()
  const brandId = useActiveBrand().brand?.id ?? null
  const answer = useObservable(answered(device))
  const memberships = useBrandData()?.tables.memberships
  useEffect(() => {
    void load(device, brandId)
    return memberships?.subscribe((urgent) => {
      // What is urgent is somebody's own waiting edit, of whatever table. A failure stays until somebody tries again.
      if (!urgent && answered(device).get().error === null) void load(device, brandId)
    })
  }, [device, brandId, memberships])
  const present = answer.brandId === brandId ? answer : nobody
  return {
    ready: present.ready,
    members: present.members,
    error: present.error,
    reload: () => void load(device, brandId),
  }
}

const answered = devicePart((device) => {
  const members = observable(nobody)
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) members.set(nobody)
  })
  return members
})
const asked = devicePart(() => ({ loads: 0 }))

async function load(device: Device, brandId: string | null): Promise<void> {
  if (!brandId) return
  asked(device).loads += 1
  const mine = asked(device).loads
  const answer = await listMembers(device, brandId)
  // The answer to the last question counts, in whatever order they come; a list on screen outlives a lost connection.
  const isShown = answered(device).get().brandId === brandId && answered(device).get().error === null
  if (
    mine !== asked(device).loads ||
    !sessionState(device).get().session ||
    (answer.error === noAnswerMessage && isShown)
  )
    return
  answered(device).set(answer)
}

/** Asks for the list once more; resolves when it is there. */
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

/** Online only, never 'queued'. Messages NOT_AUTHORIZED, USER_NOT_FOUND, ALREADY_MEMBER (spec section 8). */
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
