const key = 'banyan-next'

/** Keeps, in this tab only, the address that a person opened before signing in. Addresses outside of the app are not kept. */
export function rememberAddress(address: string): void {
  if (isInside(address)) sessionStorage.setItem(key, address)
}

/** Returns the kept address and removes it. */
export function takeRememberedAddress(): string | null {
  const address = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return address && isInside(address) ? address : null
}

/** Called at sign-out: the next sign-in must not return to this address. */
export function forgetRememberedAddress(): void {
  sessionStorage.removeItem(key)
}

/** True for a path of this origin below /crm: no other site or scheme, and no escape by `..` or a backslash. */
export function isInside(address: string): boolean {
  if (!address.startsWith('/crm/')) return false
  const url = new URL(address, 'http://inside.invalid')
  return url.origin === 'http://inside.invalid' && url.pathname.startsWith('/crm/') && !address.includes('\\')
}
