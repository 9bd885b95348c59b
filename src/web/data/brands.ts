import type { Outcome } from './outcome.ts'
import type { Role } from './rows.ts'

export interface Membership {
  brandId: string
  name: string
  slug: string
  role: Role
}

/**
 * My brands: first what this device remembers (so /select-brand works offline), then the server's answer.
 * `ready` is true as soon as either is there; `fresh` when the server has answered; `error` its message when it could not.
 */
export function useMemberships(): {
  ready: boolean
  fresh: boolean
  memberships: readonly Membership[]
  error: string | null
  reload: () => void
} {
  return { ready: false, fresh: false, memberships: [], error: null, reload: () => {} }
}

/**
 * Creates a brand (online only: never 'queued'); its creator becomes owner. Refusal code 23505 or a message with 'duplicate key
 * value' means that the name exists (spec section 8). The id of the outcome is the brand's.
 */
export function createBrand(_name: string): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}
