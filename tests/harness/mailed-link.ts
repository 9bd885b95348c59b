import type { EmailOtpType, SupabaseClient } from '@supabase/supabase-js'
import type { ReceivedMail } from './read-mail.ts'

/** The link of a mail, taken apart. */
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

/** What a link carries in its fragment: `token_hash`, `type`, `next`, `email`. */
export function carriedBy(link: string): URLSearchParams {
  return new URLSearchParams(new URL(link).hash.slice(1))
}

/** What the page of a link does when the person clicks. */
export function clickLink(client: SupabaseClient, mail: Pick<ReceivedMail, 'links'>) {
  const { tokenHash, type } = mailedLink(mail)
  return client.auth.verifyOtp({ token_hash: tokenHash, type })
}
