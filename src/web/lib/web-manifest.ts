/**
 * Names the web manifest, by which a browser installs the app: after the first look, as its icon is fetched at once and would take its
 * turn before the page's own scripts. Once a tab.
 */
export function nameWebManifest(): void {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  document.head.append(link)
}
