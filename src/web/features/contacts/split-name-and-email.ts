import type { UseFormReturn } from 'react-hook-form'
import { readPerson } from '#web/lib/read-person.ts'
import type { CheckedContact, TypedContact } from './contact-schema.ts'

export type ContactForm = UseFormReturn<TypedContact, unknown, CheckedContact>

/** Splits 'Anna Schmidt <anna@muster.example>' in the email field into the address and, if no name was typed, the name. */
export function splitNameAndEmail({ getValues, setValue }: ContactForm): void {
  const typed = getValues()
  const { email, first_name, last_name } = readPerson(typed.email)
  if (!email || email === typed.email.trim()) return
  setValue('email', email)
  if (typed.first_name.trim() || typed.last_name.trim()) return
  setValue('first_name', first_name ?? '')
  setValue('last_name', last_name ?? '')
}
