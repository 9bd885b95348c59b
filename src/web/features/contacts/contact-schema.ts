import * as z from 'zod/mini'
import type { Correction } from '#web/data/changes/correction.ts'
import { emailIn, notAnEmailMessage } from '#web/lib/read-person.ts'

const optionalText = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/**
 * Spec section 5: the email address is required and trimmed; other fields are trimmed, and null if empty. A contact with a phone number
 * needs no email address.
 */
export const contactSchema = z
  .object({
    email: optionalText,
    first_name: optionalText,
    last_name: optionalText,
    title: optionalText,
    phone: optionalText,
    company: optionalText,
  })
  .check(
    z.refine(({ email, phone }) => email !== null || phone !== null, { error: 'Email is required', path: ['email'] }),
  )

export type TypedContact = z.input<typeof contactSchema>
export type CheckedContact = z.output<typeof contactSchema>

const emptyContact: TypedContact = {
  email: '',
  first_name: '',
  last_name: '',
  title: '',
  phone: '',
  company: '',
}

/** Returns the values with which the form starts: those of a refused contact that is being corrected, or empty ones. */
export function typedContact(correction: Correction<'contacts'> | null): TypedContact {
  const { email, first_name, last_name, phone, title } = correction?.row ?? {}
  const names = { first_name: first_name ?? '', last_name: last_name ?? '', title: title ?? '' }
  return { ...emptyContact, email: email ?? '', phone: phone ?? '', ...names, company: correction?.companyName ?? '' }
}

/** Returns what is wrong with an edited email address, or null. `required`: the contact has an email address and no phone number. */
export function checkEmail(text: string, required: boolean): string | null {
  if (text.trim() === '') return required ? 'Email is required' : null
  return emailIn(text) ? null : notAnEmailMessage
}

/** Returns what is wrong with an edited phone number, or null. `required`: the contact has a phone number and no email address. */
export function checkPhone(text: string, required: boolean): string | null {
  return required && text.trim() === '' ? 'Without an email address, a phone number is required' : null
}
