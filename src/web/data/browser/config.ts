interface BanyanConfig {
  /** The URL of the backend. If it is empty or absent, the backend is at the origin of the page. */
  url?: string
  /** The public key (role anon). */
  publishableKey: string
  /** The server's public key (VAPID), with which browsers subscribe to pushes. Absent on a backend without pushes. */
  pushKey?: string
  /** False if the operator has disabled the service worker. */
  serviceWorker?: boolean
}

declare global {
  var BANYAN_CONFIG: BanyanConfig | undefined

  interface ImportMetaEnv {
    readonly VITE_SUPABASE_URL?: string
    readonly VITE_SUPABASE_PUBLISHABLE_KEY?: string
  }
}

/**
 * Returns the backend's URL and public key: from the `VITE_` variables of the build if they are set (a Supabase project), else from `/config.js` of
 * the server that serves the page. If there are neither variables nor values from `/config.js`, throws an error with a sentence that says what to
 * do, and loads `/config.js` again, so that a page that was opened without a network finds its server later.
 */
export function readConfig(): { url: string; publishableKey: string } {
  const builtUrl = import.meta.env?.VITE_SUPABASE_URL
  const builtKey = import.meta.env?.VITE_SUPABASE_PUBLISHABLE_KEY
  if (builtUrl && builtKey) return { url: builtUrl, publishableKey: builtKey }
  const served = globalThis.BANYAN_CONFIG
  if (!served?.publishableKey) {
    loadConfigAgain()
    throw new Error(
      'No backend is configured: /config.js did not load. Reload the page, or set the VITE_SUPABASE_ variables.',
    )
  }
  return { url: served.url || globalThis.location.origin, publishableKey: served.publishableKey }
}

/** Loads `/config.js` again, as index.html does. The callers of `readConfig` try again later. */
function loadConfigAgain(): void {
  if (!globalThis.document || document.querySelector('script[data-asked-again]')) return
  const script = document.createElement('script')
  script.dataset.askedAgain = ''
  const removeScript = () => script.remove()
  script.addEventListener('load', removeScript)
  script.addEventListener('error', removeScript)
  script.src = '/config.js'
  document.head.append(script)
}

/** Whether this installation allows the service worker, which opens the app without a network. */
export function allowsServiceWorker(): boolean {
  return globalThis.BANYAN_CONFIG?.serviceWorker !== false
}
