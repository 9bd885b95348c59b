import { tabStorage } from './tab-storage.ts'

/** The parameters of a link that an email contains. */
export interface MailedLink {
  tokenHash: string
  /** The purpose of the link, as the sign-in protocol calls it: 'signup', 'recovery'. */
  type: string
  /** The URL path that is opened afterwards. '' if there is none. */
  next: string
  /** The email address to which the email was sent. '' if it is unknown. */
  email: string
}

/** The key of the stored link in the tab's storage. */
export const linkStorageKey = 'banyan-link'

/** Stores a link of an email in this tab while the person signs in. It is stored as the fragment of a URL. */
export function storeLink({ tokenHash, type, next, email }: MailedLink): void {
  tabStorage()?.setItem(linkStorageKey, `#${new URLSearchParams({ token_hash: tokenHash, type, next, email })}`)
}

/** Returns the link that `storeLink` has stored, and removes it. Null if there is none. */
export function takeStoredLink(): MailedLink | null {
  const storedUrl = tabStorage()?.getItem(linkStorageKey)
  tabStorage()?.removeItem(linkStorageKey)
  return storedUrl ? mailedLinkOf(storedUrl) : null
}

/**
 * Reads the parameters of an emailed link from the fragment of its URL. In older emails they are in the query. Returns null if the URL has
 * neither a token nor a type.
 */
export function mailedLinkOf(url: string): MailedLink | null {
  const { hash, search } = new URL(url, 'http://mail.invalid')
  for (const text of [hash, search]) {
    const parameters = new URLSearchParams(text.slice(1))
    if (!parameters.has('token_hash') && !parameters.has('type')) continue
    const [tokenHash, type, next, email] = ['token_hash', 'type', 'next', 'email'].map(
      (name) => parameters.get(name) ?? '',
    )
    return { tokenHash: tokenHash ?? '', type: type ?? '', next: next ?? '', email: email ?? '' }
  }
  return null
}
