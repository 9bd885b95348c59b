const KEY = 'banyan-next'

/** Keeps the address that somebody asked for before they were let in, in this tab only; what is not inside the app is not kept. */
export function rememberAddress(address: string): void {
  if (isInside(address)) sessionStorage.setItem(KEY, address)
}

/** The remembered address, once: it is forgotten by being read. */
export function takeRememberedAddress(): string | null {
  const address = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return address && isInside(address) ? address : null
}

/** After signing out nobody wants to come back to where they were. */
export function forgetRememberedAddress(): void {
  sessionStorage.removeItem(KEY)
}

/** True for a path of this origin below /crm: no other site, no other scheme, no way out by `..` or a backslash. */
export function isInside(address: string): boolean {
  if (!address.startsWith('/crm/')) return false
  const url = new URL(address, 'http://inside.invalid')
  return url.origin === 'http://inside.invalid' && url.pathname.startsWith('/crm/') && !address.includes('\\')
}
