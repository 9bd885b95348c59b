import { tabStorage } from './tab-storage.ts'

const storageKey = 'banyan-next'

/** Remembers, in this tab only, the URL that a person has opened before signing in. A URL that is not below /crm is not remembered. */
export function rememberUrl(url: string): void {
  if (isBelowCrm(url)) tabStorage()?.setItem(storageKey, url)
}

/** Returns the URL that was remembered, and forgets it. Null if there is none. */
export function takeRememberedUrl(): string | null {
  const url = tabStorage()?.getItem(storageKey)
  tabStorage()?.removeItem(storageKey)
  return url && isBelowCrm(url) ? url : null
}

/** Forgets the remembered URL. Called at sign-out, because the next sign-in must not lead to that URL. */
export function forgetRememberedUrl(): void {
  tabStorage()?.removeItem(storageKey)
}

/**
 * Whether a URL is a path of this app below /crm. False for another site or scheme, for a path that leaves /crm by `..`, and for a URL with a
 * backslash.
 */
export function isBelowCrm(url: string): boolean {
  if (!url.startsWith('/crm/')) return false
  const parsed = new URL(url, 'http://inside.invalid')
  return parsed.origin === 'http://inside.invalid' && parsed.pathname.startsWith('/crm/') && !url.includes('\\')
}
