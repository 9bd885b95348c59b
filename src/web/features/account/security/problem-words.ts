/**
 * Returns the text to show for an error message of the Security tab. If the user has a second factor that this session has not proved, the server's
 * message is only the code SECOND_FACTOR_REQUIRED: then the text says what to do.
 */
export function problemWords(message: string): string {
  if (message !== 'SECOND_FACTOR_REQUIRED') return message
  return 'Your account has a second factor now. Sign out, then sign in with its code.'
}
