import * as z from 'zod/mini'

const optional = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/** Spec section 5: the e-mail address is required and trimmed; other fields are trimmed, and null when empty. */
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

/** What is wrong with an edited e-mail address; the database requires one @ with text on both sides (`required`: and an address). */
export function checkEmail(text: string, required: boolean): string | null {
  const email = text.trim()
  if (email === '') return required ? 'Email is required' : null
  return /^[^@]+@[^@]+$/.test(email) ? null : 'Enter an email address'
}
