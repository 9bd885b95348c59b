import type { Outcome } from './outcome.ts'
import type { Role } from './rows.ts'

export interface Member {
  user_id: string
  email: string
  role: Role
  created_at: string
}

/** Members of the active brand, asked online each time (list_brand_members). `error`: the server's message, 'Error loading members'. */
export function useMembers(): { ready: boolean; members: readonly Member[]; error: string | null; reload: () => void } {
  return { ready: false, members: [], error: null, reload: () => {} }
}

/** Online only, never 'queued'. Messages NOT_AUTHORIZED, USER_NOT_FOUND, ALREADY_MEMBER (spec section 8). */
export function addMember(_email: string, _role: 'member' | 'admin'): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}
