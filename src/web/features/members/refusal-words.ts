import { isRefusal } from '#web/data/server/is-refusal.ts'
import { notAnEmailMessage } from '#web/lib/read-person.ts'

interface Refusal {
  message: string
  code: string | null
}

/** Returns the texts of the toast after the server refused to add or invite a person (spec section 8). */
export function refusalWords(refusal: Refusal): {
  title: string
  description?: string
} {
  if (isRefusal(refusal, 'NOT_AUTHORIZED')) return { title: 'Only admins and owners can add members' }
  if (isRefusal(refusal, 'USER_NOT_FOUND')) {
    return { title: 'User with this email not found. They must sign up first.' }
  }
  if (isRefusal(refusal, 'ALREADY_MEMBER'))
    return { title: 'Error adding member', description: 'This person is already a member of this brand.' }
  return { title: 'Error adding member', description: emailFieldError(refusal) ?? refusal.message }
}

/** Returns the text that the email field shows for a refusal of the email address (22023). Null if something else was refused. */
export function emailFieldError({ message, code }: Refusal): string | null {
  if (code !== '22023') return null
  return message === 'Email is not valid' ? notAnEmailMessage : message
}
