import { useEffect } from 'react'
import { activeBrandState, useActiveBrand } from './active-brand.ts'
import { newId } from './new-id.ts'
import { asUserHeader, client } from './client.ts'
import { liveValue, useLive } from './live-value.ts'
import type { Outcome } from './outcome.ts'
import { RpcError, rpc } from './rpc.ts'
import type { Role } from './rows.ts'
import { sessionState } from './session.ts'

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
const noAnswer = 'The server does not answer. Check your connection and try again.'

/**
 * Members of the active brand, asked online each time (list_brand_members). `error`: the server's message, 'Error loading members'.
 * The one list that is not kept on this device: e-mail addresses of colleagues are for admins' eyes, when they look.
 */
export function useMembers(): { ready: boolean; members: readonly Member[]; error: string | null; reload: () => void } {
  const brandId = useActiveBrand().brand?.id ?? null
  const answer = useLive(answered)
  useEffect(() => void load(brandId), [brandId])
  const present = answer.brandId === brandId ? answer : nobody
  return { ready: present.ready, members: present.members, error: present.error, reload: () => void load(brandId) }
}

const answered = liveValue(nobody)

async function load(brandId: string | null): Promise<void> {
  if (brandId) answered.set(await listMembers(brandId))
}

sessionState.subscribe(() => {
  if (!sessionState.get().session) answered.set(nobody)
})

async function listMembers(brandId: string): Promise<Members> {
  const userId = sessionState.get().session?.userId ?? ''
  try {
    const members = await rpc<Member[]>(userId, 'list_brand_members', { p_brand_id: brandId })
    return { brandId, ready: true, members, error: null }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { brandId, ready: true, members: [], error: error.status === 0 ? noAnswer : error.message }
  }
}

/** Online only, never 'queued'. Messages NOT_AUTHORIZED, USER_NOT_FOUND, ALREADY_MEMBER (spec section 8). */
export async function addMember(email: string, role: 'member' | 'admin'): Promise<Outcome> {
  const { brandId } = activeBrandState.get()
  const userId = sessionState.get().session?.userId ?? ''
  const args = { p_brand_id: brandId, p_email: email.trim(), p_role: role }
  const request = client().rpc('add_brand_member_by_email', args)
  const { error, status } = await request.setHeader('Idempotency-Key', newId()).setHeader(asUserHeader, userId)
  if (!error) return { status: 'saved', id: brandId ?? '' }
  return { status: 'refused', message: status === 0 ? noAnswer : error.message, code: error.code || null }
}
