import * as z from 'zod/mini'
import { emailIn, notAnEmailMessage } from '#web/lib/read-person.ts'

/** The email address in a typed text ('Tom Hale <tom@muster.example>'). Unlike a contact's, an account's address cannot contain spaces. */
const emailAddress = z.pipe(
  z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  z.pipe(
    z.transform((typed: string) => emailIn(typed) ?? ''),
    z.string().check(z.regex(/^\S+$/, notAnEmailMessage)),
  ),
)

/** Spec section 5: the email address is required; the role is member or admin. */
export const inviteSchema = z.object({
  email: emailAddress,
  role: z.enum(['member', 'admin']),
})

/** Returns what is wrong with a typed email address, or undefined. An empty one is an error only when the form is submitted. */
export function checkAddress(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  return emailAddress.safeParse(typed).error?.issues[0]?.message
}

export type TypedInvite = z.input<typeof inviteSchema>
export type CheckedInvite = z.output<typeof inviteSchema>

/** The initial values of the form. Spec section 5: the default role is member. */
export const emptyInvite: TypedInvite = { email: '', role: 'member' }
