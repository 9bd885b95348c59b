const storageKey = 'banyan-install-dismissed'
/** How long the prompt is hidden after it was closed (days). */
const hiddenDays = 30

/** Whether the install prompt was closed less than 30 days ago, on this device. */
export function isInstallDismissed(): boolean {
  const closedAtMs = Number(storedTime() ?? Number.NaN)
  return Date.now() - closedAtMs < hiddenDays * 86_400_000
}

/** Stores that the install prompt was closed now. */
export function dismissInstall(): void {
  try {
    localStorage.setItem(storageKey, String(Date.now()))
  } catch {
    // If the storage is blocked, the prompt is hidden only until `InstallCard` is mounted again.
  }
}

function storedTime(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
