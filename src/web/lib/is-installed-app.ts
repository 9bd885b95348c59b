/** Whether the page runs as an installed app. */
export function isInstalledApp(): boolean {
  return matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true
}
