import * as z from 'zod/mini'

const optional = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/** Spec section 5: the e-mail is required and trimmed; names and company are trimmed, and null when empty. */
export const contactSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  first_name: optional,
  last_name: optional,
  company: optional,
})

export type TypedContact = z.input<typeof contactSchema>
export type CheckedContact = z.output<typeof contactSchema>

export const emptyContact: TypedContact = { email: '', first_name: '', last_name: '', company: '' }
