/** What the link of an e-mail carries. */
export interface MailedLink {
  tokenHash: string
  /** The protocol's word for what it is for. */
  type: string
  /** Where to go afterwards; '' where it says nothing. */
  next: string
  /** Whom it is for; '' where it says nothing. */
  email: string
}

const KEY = 'banyan-link'

/** Keeps a link in this tab while its person signs in. */
export function keepLink(link: MailedLink): void {
  sessionStorage.setItem(KEY, JSON.stringify(link))
}

/** The link that was kept, once: it is forgotten by being read. */
export function takeKeptLink(): MailedLink | null {
  const kept = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return kept ? (JSON.parse(kept) as MailedLink) : null
}

/** Reads the fragment of the address that a mail's link leads to; older mails have the same words in the query. Null: it carries nothing. */
export function mailedLinkOf(address: string): MailedLink | null {
  const { hash, search } = new URL(address, 'http://mail.invalid')
  for (const text of [hash, search]) {
    const carried = new URLSearchParams(text.slice(1))
    if (!carried.has('token_hash') && !carried.has('type')) continue
    const [tokenHash, type, next, email] = ['token_hash', 'type', 'next', 'email'].map(
      (name) => carried.get(name) ?? '',
    )
    return { tokenHash: tokenHash ?? '', type: type ?? '', next: next ?? '', email: email ?? '' }
  }
  return null
}
