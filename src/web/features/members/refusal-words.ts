/** The text of a refused invitation, by the message that SQL raises (spec section 8; ALREADY_MEMBER: design section 3). */
export function refusalWords(message: string): { title: string; description?: string } {
  if (message.includes('NOT_AUTHORIZED')) return { title: 'Only admins and owners can add members' }
  if (message.includes('USER_NOT_FOUND')) {
    return { title: 'User with this email not found. They must sign up first.' }
  }
  if (message.includes('ALREADY_MEMBER'))
    return { title: 'Error adding member', description: 'They are in this brand already.' }
  return { title: 'Error adding member', description: message }
}
