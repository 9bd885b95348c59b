interface BanyanConfig {
  /** Address of the backend; empty or absent: the address the page came from. */
  url?: string
  /** The public key (role anon). */
  publishableKey: string
  /** The public key by which this browser subscribes to pushes; a backend without pushes has none. */
  pushKey?: string
  /** False: the operator has switched the service worker off. */
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
 * Where the backend is and with which public key: the `VITE_` variables of the build where set (a Supabase project), else what
 * `/config.js` of our server contains. Throws with a sentence that says what to do when both are missing. It then
 * loads `/config.js` again, so that a page that was opened without a network finds its server later.
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

/** Loads `/config.js` again, as index.html does. The callers of `readConfig` retry by themselves. */
function loadConfigAgain(): void {
  if (!globalThis.document || document.querySelector('script[data-asked-again]')) return
  const script = document.createElement('script')
  script.dataset.askedAgain = ''
  const end = () => script.remove()
  script.addEventListener('load', end)
  script.addEventListener('error', end)
  script.src = '/config.js'
  document.head.append(script)
}

/** Whether this installation allows the service worker, which opens the app without a network. */
export function allowsServiceWorker(): boolean {
  return globalThis.BANYAN_CONFIG?.serviceWorker !== false
}
