/** Chromium's offer to install the app. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: BeforeInstallPromptEvent
  }
}

/** The browser's offer to install the app. 'installed' if the app was installed while this page was open; 'announced' after the toast about it. */
let offer: BeforeInstallPromptEvent | 'installed' | 'announced' | null = null
const listeners = new Set<() => void>()

/** Keeps the browser's offer to install the app, which may arrive before any page is rendered. Called once per tab. */
export function catchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer = event
    notify()
  })
  addEventListener('appinstalled', () => {
    offer = 'installed'
    notify()
  })
}

/** Tells whether the browser offers to install the app now, and whether the app was installed while this page was open. */
export const installOffer = {
  canPrompt: () => typeof offer === 'object' && offer !== null,
  isInstalled: () => typeof offer === 'string',
  /** Returns true once after the app was installed. */
  announce: () => {
    if (offer !== 'installed') return false
    offer = 'announced'
    return true
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** Shows the browser's install dialog. Each offer can be used once. Returns false if the person declined, or if there is no offer. */
export async function showInstallDialog(): Promise<boolean> {
  if (offer === null || typeof offer === 'string') return false
  const usedOffer = offer
  offer = null
  notify()
  const { outcome } = await usedOffer.prompt()
  return outcome === 'accepted'
}

function notify(): void {
  for (const listener of listeners) listener()
}
