import * as z from 'zod/mini'
import { addressOf, notAnAddress } from '#web/lib/read-person.ts'

const optional = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/**
 * Spec section 5: the e-mail address is required and trimmed; other fields are trimmed, and null when empty. A contact with a phone
 * number needs no address.
 */
export const contactSchema = z
  .object({
    email: optional,
    first_name: optional,
    last_name: optional,
    title: optional,
    phone: optional,
    company: optional,
  })
  .check(
    z.refine(({ email, phone }) => email !== null || phone !== null, { error: 'Email is required', path: ['email'] }),
  )

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

/** What is wrong with an edited e-mail address (`required`: there is one already, and nothing else to reach the contact by). */
export function checkEmail(text: string, required: boolean): string | null {
  if (text.trim() === '') return required ? 'Email is required' : null
  return addressOf(text) ? null : notAnAddress
}

/** What is wrong with an edited phone number: without an address it cannot be taken away. */
export function checkPhone(text: string, required: boolean): string | null {
  return required && text.trim() === '' ? 'Without an email address, a phone number is required' : null
}
