import { countInTitle } from './document-title.ts'

/**
 * Shows a count in the tab's title ('(3) Contacts · Banyan CRM') and on the icon of the installed app; 0 removes it. The unsent changes of
 * this device are counted in the header only: they concern nobody who is not looking at it.
 */
export function showCount(count: number): void {
  const root = document.documentElement
  const plainTitle = document.title.slice(countInTitle().length)
  if (count > 0) root.dataset['count'] = String(count)
  else delete root.dataset['count']
  document.title = countInTitle() + plainTitle
  // Browsers without badges, and a page that is not installed, refuse it.
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  shown?.catch(() => {})
}
