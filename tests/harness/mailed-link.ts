import type { EmailOtpType, SupabaseClient } from '@supabase/supabase-js'
import type { ReceivedMail } from './read-mail.ts'

/** The parts of a mailed link. */
export interface MailedLink {
  address: URL
  tokenHash: string
  type: EmailOtpType
}

/** The link that a mail's button leads to. */
export function mailedLink({ links }: Pick<ReceivedMail, 'links'>): MailedLink {
  const address = new URL(links[0] ?? '')
  const carried = carriedBy(address.href)
  return {
    address,
    tokenHash: carried.get('token_hash') ?? '',
    type: carried.get('type') ?? 'email',
  }
}

/** The parameters in a link's fragment: `token_hash`, `type`, `next`, `email`. */
export function carriedBy(link: string): URLSearchParams {
  return new URLSearchParams(new URL(link).hash.slice(1))
}

/** Does what the link's page does after a click. */
export function clickLink(client: SupabaseClient, mail: Pick<ReceivedMail, 'links'>) {
  const { tokenHash, type } = mailedLink(mail)
  return client.auth.verifyOtp({ token_hash: tokenHash, type })
}
