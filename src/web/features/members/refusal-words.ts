import { isRefusal } from '#web/data/server/is-refusal.ts'

/** The text of a refused invitation (spec section 8). */
export function refusalWords(refusal: { message: string; code: string | null }): {
  title: string
  description?: string
} {
  if (isRefusal(refusal, 'NOT_AUTHORIZED')) return { title: 'Only admins and owners can add members' }
  if (isRefusal(refusal, 'USER_NOT_FOUND')) {
    return { title: 'User with this email not found. They must sign up first.' }
  }
  if (isRefusal(refusal, 'ALREADY_MEMBER'))
    return { title: 'Error adding member', description: 'They are in this brand already.' }
  return { title: 'Error adding member', description: refusal.message }
}
