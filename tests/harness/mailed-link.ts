import type { EmailOtpType, SupabaseClient } from '@supabase/supabase-js'
import type { ReceivedMail } from './read-mail.ts'

/** The parts of a mailed link. */
export interface MailedLink {
  address: URL
  tokenHash: string
  type: EmailOtpType
}

/** Returns the parts of the link behind a mail's button. */
export function mailedLink({ links }: Pick<ReceivedMail, 'links'>): MailedLink {
  const address = new URL(links[0] ?? '')
  const parameters = linkParameters(address.href)
  return {
    address,
    tokenHash: parameters.get('token_hash') ?? '',
    type: parameters.get('type') ?? 'email',
  }
}

/** Returns the parameters in a link's fragment: `token_hash`, `type`, `next`, `email`. */
export function linkParameters(link: string): URLSearchParams {
  return new URLSearchParams(new URL(link).hash.slice(1))
}

/** Sends the request that the link's page sends after a click. */
export function clickLink(client: SupabaseClient, mail: Pick<ReceivedMail, 'links'>) {
  const { tokenHash, type } = mailedLink(mail)
  return client.auth.verifyOtp({ token_hash: tokenHash, type })
}
