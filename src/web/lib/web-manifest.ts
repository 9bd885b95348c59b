/**
 * Adds the link to the web manifest, by which browsers install the app. It is added after the first paint, because browsers fetch the manifest's
 * icon at once, before the page's own scripts. Called once per tab.
 */
export function nameWebManifest(): void {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  document.head.append(link)
}
