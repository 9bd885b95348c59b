/**
 * Adds the link to the web manifest, which browsers need to install the app. Call it once per tab, after the first paint: browsers fetch
 * the manifest's icon at once, and would fetch it before the page's own scripts.
 */
export function addWebManifestLink(): void {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
  )
}
