/**
 * What the product's SQL raises by name: the message of the error, and its SQLSTATE, which both backends answer as `code`. A test
 * holds the list to the SQL (supabase/tests/refusal-codes.test.ts). Class BY is ours; both backends answer it with status 400.
 */
export const refusalCodes = {
  /** The caller is no member of the brand, or their role does not allow it. */
  NOT_AUTHORIZED: 'P0001',
  /** Nobody with this address has an account, or the person is no member of the brand. */
  USER_NOT_FOUND: 'P0001',
  /** The session behind the token has ended: sign in again. Status 401. */
  SESSION_ENDED: 'PT401',
  /** The brand would be left without an owner: hand it over or delete it first. */
  LAST_OWNER: 'BY001',
  /** The person is a member of the brand already. */
  ALREADY_MEMBER: 'BY002',
  /** The caller has to prove a second factor first. */
  SECOND_FACTOR_REQUIRED: 'BY003',
  /** The caller has to prove who they are anew: the password, and the second factor where there is one. */
  REAUTHENTICATION_NEEDED: 'BY004',
  /** The server sends no mail, or nobody can sign up: nobody can be invited. */
  INVITATIONS_OFF: 'BY005',
  /** The invitation or session does not exist any more. */
  NOT_FOUND: 'BY006',
  /** The invitation link does not work any more. The detail says why: used, revoked, replaced, expired or unknown. */
  LINK_ENDED: 'BY007',
  /** The invitation link is for another address, which the detail names. */
  OTHER_ADDRESS: 'BY008',
} as const

export type RefusalName = keyof typeof refusalCodes
