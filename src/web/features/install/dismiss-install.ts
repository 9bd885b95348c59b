import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'

const storageKey = 'banyan-install-dismissed'
/** How long the prompt is hidden after it was closed (days). */
const hiddenDays = 30

/** Whether the install prompt is hidden in this tab. One value for the card in the sidebar and the card on the overview. */
const isHidden = devicePart(() => observable(wasClosedRecently()))

/** Whether the install prompt was closed less than 30 days before this page was opened, or on this page. */
export function useInstallDismissed(): boolean {
  return useObservable(isHidden(useDevice()))
}

/** Stores that the install prompt was closed now. */
export function dismissInstall(device: Device): void {
  isHidden(device).set(true)
  try {
    localStorage.setItem(storageKey, String(Date.now()))
  } catch {
    // If the storage is blocked, the prompt is hidden only until the page is reloaded.
  }
}

function wasClosedRecently(): boolean {
  const closedAtMs = Number(storedTime() ?? Number.NaN)
  return Date.now() - closedAtMs < hiddenDays * 86_400_000
}

function storedTime(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
