/** Returns the words for an error message of the Security tab. The server refuses by name if this session lacks the second factor of its user. */
export function problemWords(message: string): string {
  if (message !== 'SECOND_FACTOR_REQUIRED') return message
  return 'Your account has a second factor now. Sign out, then sign in with its code.'
}
