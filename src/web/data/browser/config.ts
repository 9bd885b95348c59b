interface BanyanConfig {
  /** Address of the backend; empty or absent: the address the page came from. */
  url?: string
  /** The public key (role anon). */
  publishableKey: string
  /** False: the operator wants no service worker. */
  serviceWorker?: boolean
}

declare global {
  var BANYAN_CONFIG: BanyanConfig | undefined
}

/**
 * Where the backend is and with which public key: the `VITE_` variables of the build where set (a Supabase project), else what
 * `/config.js` of our server said (design section 3). Throws with a sentence that says what to do when neither is there;
 * then it is asked for again, so that a page opened without a network finds its server once there is one.
 */
export function readConfig(): { url: string; publishableKey: string } {
  const builtUrl = import.meta.env?.VITE_SUPABASE_URL as string | undefined
  const builtKey = import.meta.env?.VITE_SUPABASE_PUBLISHABLE_KEY as string | undefined
  if (builtUrl && builtKey) return { url: builtUrl, publishableKey: builtKey }
  const served = globalThis.BANYAN_CONFIG
  if (!served?.publishableKey) {
    askAgain()
    throw new Error(
      'No backend is configured: /config.js did not load. Reload the page, or set the VITE_SUPABASE_ variables.',
    )
  }
  return { url: served.url || globalThis.location.origin, publishableKey: served.publishableKey }
}

/** Loads `/config.js` once more, as index.html does. Its callers try again by themselves. */
function askAgain(): void {
  if (!globalThis.document || document.querySelector('script[data-asked-again]')) return
  const script = document.createElement('script')
  script.dataset.askedAgain = ''
  const end = () => script.remove()
  script.addEventListener('load', end)
  script.addEventListener('error', end)
  script.src = '/config.js'
  document.head.append(script)
}

/** Whether this installation lets the page keep itself for a time without a network. */
export function allowsServiceWorker(): boolean {
  return globalThis.BANYAN_CONFIG?.serviceWorker !== false
}
