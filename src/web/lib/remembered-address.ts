const key = 'banyan-next'

/** Stores, in this tab only, the URL that a person opened before signing in. URLs outside the app are not stored. */
export function rememberAddress(address: string): void {
  if (isInside(address)) sessionStorage.setItem(key, address)
}

/** Returns the stored URL and removes it. */
export function takeRememberedAddress(): string | null {
  const address = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return address && isInside(address) ? address : null
}

/** Called at sign-out, because the next sign-in must not return to this URL. */
export function forgetRememberedAddress(): void {
  sessionStorage.removeItem(key)
}

/** True for a path of this origin below /crm. False for another site or scheme, and for an escape by `..` or a backslash. */
export function isInside(address: string): boolean {
  if (!address.startsWith('/crm/')) return false
  const url = new URL(address, 'http://inside.invalid')
  return url.origin === 'http://inside.invalid' && url.pathname.startsWith('/crm/') && !address.includes('\\')
}
