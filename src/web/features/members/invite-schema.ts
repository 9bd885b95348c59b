import * as z from 'zod/mini'
import { addressOf, notAnAddress } from '#web/lib/read-person.ts'

/** The address in what was typed ('Tom Hale <tom@muster.example>'); an account's has no space in it, unlike a contact's. */
const address = z.pipe(
  z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  z.pipe(
    z.transform((typed: string) => addressOf(typed) ?? ''),
    z.string().check(z.regex(/^\S+$/, notAnAddress)),
  ),
)

/** Spec section 5: the e-mail is required; the role is member (default) or admin. */
export const inviteSchema = z.object({
  email: address,
  role: z.enum(['member', 'admin']),
})

/** What is wrong with a typed address; nothing is wrong with an empty one before it is sent. */
export function checkAddress(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  return address.safeParse(typed).error?.issues[0]?.message
}

export type TypedInvite = z.input<typeof inviteSchema>
export type CheckedInvite = z.output<typeof inviteSchema>

export const emptyInvite: TypedInvite = { email: '', role: 'member' }
