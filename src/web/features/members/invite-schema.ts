import * as z from 'zod/mini'

/** Spec section 5: the e-mail is required; the role is member (default) or admin. */
export const inviteSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  role: z.enum(['member', 'admin']),
})

export type TypedInvite = z.input<typeof inviteSchema>
export type CheckedInvite = z.output<typeof inviteSchema>

export const emptyInvite: TypedInvite = { email: '', role: 'member' }
