const key = 'banyan-install-dismissed'
/** How long the prompt is hidden after it was closed (days). */
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
    // If the storage is blocked, the prompt is hidden only until `InstallCard` is mounted again.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
