import { observable, useObservable } from '#web/lib/observable.ts'

const storageKey = 'banyan-install-dismissed'
/** How long the prompt is hidden after it was closed (days). */
const hiddenDays = 30

/** Whether the install prompt was closed in this tab. One value for the card in the sidebar and the card on the overview. */
const isClosedHere = observable(false)

/** Whether the install prompt was closed less than 30 days ago, on this device. */
export function useInstallDismissed(): boolean {
  const closedAtMs = Number(storedTime() ?? Number.NaN)
  return useObservable(isClosedHere) || Date.now() - closedAtMs < hiddenDays * 86_400_000
}

/** Stores that the install prompt was closed now. */
export function dismissInstall(): void {
  isClosedHere.set(true)
  try {
    localStorage.setItem(storageKey, String(Date.now()))
  } catch {
    // If the storage is blocked, the prompt is hidden only until the page is reloaded.
  }
}

function storedTime(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
