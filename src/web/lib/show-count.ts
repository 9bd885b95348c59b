import { countInTitle } from './document-title.ts'

/**
 * Shows a count in the tab's title ('(3) Contacts · Banyan CRM') and on the icon of the installed app. 0 removes it. Unsent changes are counted only in
 * the header, because they matter only to a person who looks at it.
 */
export function showCount(count: number): void {
  const root = document.documentElement
  const plainTitle = document.title.slice(countInTitle().length)
  if (count > 0) root.dataset['count'] = String(count)
  else delete root.dataset['count']
  document.title = countInTitle() + plainTitle
  // Browsers without badges, and pages that are not installed, reject this.
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  shown?.catch(() => {})
}
