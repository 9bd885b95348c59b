const key = 'banyan-next'

/** Remembers, in this tab only, the URL that a person has opened before signing in. A URL outside the app is not remembered. */
export function rememberAddress(address: string): void {
  if (isInside(address)) sessionStorage.setItem(key, address)
}

/** Returns the URL that was remembered, and forgets it. Null if there is none. */
export function takeRememberedAddress(): string | null {
  const address = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return address && isInside(address) ? address : null
}

/** Forgets the remembered URL. Called at sign-out, because the next sign-in must not lead to that URL. */
export function forgetRememberedAddress(): void {
  sessionStorage.removeItem(key)
}

/**
 * Whether a URL is a path of this app below /crm. False for another site or scheme, and for a path that leaves /crm by `..` or a backslash.
 */
export function isInside(address: string): boolean {
  if (!address.startsWith('/crm/')) return false
  const url = new URL(address, 'http://inside.invalid')
  return url.origin === 'http://inside.invalid' && url.pathname.startsWith('/crm/') && !address.includes('\\')
}
