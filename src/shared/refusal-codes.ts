/**
 * The named errors that the product's SQL raises: the message of the error, and its SQLSTATE. Both backends, this server
 * and Supabase, return the SQLSTATE as `code`. A test compares the list with the SQL
 * (supabase/tests/refusal-codes.test.ts). The SQLSTATEs that begin with BY are the product's own; both backends return
 * these errors with status 400.
 */
export const refusalCodes = {
  /** The caller is not a member of the brand, or the caller's role does not allow it. */
  NOT_AUTHORIZED: 'P0001',
  /** No account has this email address, or the person is not a member of the brand. */
  USER_NOT_FOUND: 'P0001',
  /** The session of the token has ended: sign in again. Status 401. */
  SESSION_ENDED: 'PT401',
  /** The brand would be left without an owner: make another member owner, or delete the brand first. */
  LAST_OWNER: 'BY001',
  /** The person is already a member of the brand. */
  ALREADY_MEMBER: 'BY002',
  /** The caller has to prove a second factor first. */
  SECOND_FACTOR_REQUIRED: 'BY003',
  /** The caller must prove again who they are: by a sign-in (password or mailed link) of the last 5 minutes, and by the second factor if there is one. */
  REAUTHENTICATION_NEEDED: 'BY004',
  /** The server sends no emails, or sign-ups are closed, so nobody can be invited. */
  INVITATIONS_OFF: 'BY005',
  /** The invitation or session no longer exists. */
  NOT_FOUND: 'BY006',
  /** The invitation link no longer works. The detail has the reason: used, revoked, replaced, expired or unknown. */
  LINK_ENDED: 'BY007',
  /** The invitation link is for another email address, which the detail contains. */
  OTHER_ADDRESS: 'BY008',
} as const

export type RefusalName = keyof typeof refusalCodes
