/** The parameters of a link in an email. */
export interface MailedLink {
  tokenHash: string
  /** The purpose of the link, as the protocol names it. */
  type: string
  /** The URL path to open afterwards. '' if there is none. */
  next: string
  /** The email address to which the link was sent. '' if unknown. */
  email: string
}

const key = 'banyan-link'

/** Stores a link in this tab while the person signs in, in the form of a URL fragment. */
export function storeLink({ tokenHash, type, next, email }: MailedLink): void {
  sessionStorage.setItem(key, `#${new URLSearchParams({ token_hash: tokenHash, type, next, email })}`)
}

/** Returns the stored link and removes it. */
export function takeStoredLink(): MailedLink | null {
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return kept ? mailedLinkOf(kept) : null
}

/**
 * Reads the parameters from the fragment of a link's URL. Older emails have them in the query. Returns null if the URL has no link
 * parameters.
 */
export function mailedLinkOf(url: string): MailedLink | null {
  const { hash, search } = new URL(url, 'http://mail.invalid')
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
