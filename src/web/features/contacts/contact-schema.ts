import * as z from 'zod/mini'

const optional = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/** Spec section 5: the e-mail is required and trimmed; all else is trimmed, and null when empty. */
export const contactSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Email is required')),
  first_name: optional,
  last_name: optional,
  title: optional,
  phone: optional,
  company: optional,
})

export type TypedContact = z.input<typeof contactSchema>
export type CheckedContact = z.output<typeof contactSchema>

export const emptyContact: TypedContact = {
  email: '',
  first_name: '',
  last_name: '',
  title: '',
  phone: '',
  company: '',
}

/** What is wrong with an e-mail that is edited; the database wants one @ with something on each side (`required`: and not none at all). */
export function checkEmail(text: string, required: boolean): string | null {
  const email = text.trim()
  if (email === '') return required ? 'Email is required' : null
  return /^[^@]+@[^@]+$/.test(email) ? null : 'Enter an email address'
}
