/** The contents of a link in an e-mail. */
export interface MailedLink {
  tokenHash: string
  /** Its purpose, as the protocol names it. */
  type: string
  /** The address to open afterwards; '' when there is none. */
  next: string
  /** The e-mail address that it was sent to; '' when unknown. */
  email: string
}

const key = 'banyan-link'

/** Keeps a link in this tab while the person signs in, as the fragment that it came in. */
export function keepLink({ tokenHash, type, next, email }: MailedLink): void {
  sessionStorage.setItem(key, `#${new URLSearchParams({ token_hash: tokenHash, type, next, email })}`)
}

/** Returns the kept link and removes it. */
export function takeKeptLink(): MailedLink | null {
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return kept ? mailedLinkOf(kept) : null
}

/** Reads the fragment of a mailed link's address; older e-mails have the same parameters in the query. Null: it has none. */
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
