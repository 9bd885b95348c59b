const key = 'banyan-install-dismissed'
/** How long a closed prompt stays away. */
const restDays = 30

/** Whether the install prompt was closed less than 30 days ago, on this device. */
export function isInstallDismissed(): boolean {
  const at = Number(stored() ?? Number.NaN)
  return Date.now() - at < restDays * 86_400_000
}

/** Stores that the install prompt was closed now. */
export function dismissInstall(): void {
  try {
    localStorage.setItem(key, String(Date.now()))
  } catch {
    // Storage may be forbidden; then the prompt stays away until the next page.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
