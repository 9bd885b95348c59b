import { countInTitle } from './document-title.ts'

/**
 * Shows a count in the title of the tab ('(3) Contacts · Banyan CRM') and on the icon of the installed app. 0 removes the count. Unsent
 * changes are not counted here but in the header, because they matter only to a person who looks at the page.
 */
export function showCount(count: number): void {
  const root = document.documentElement
  const plainTitle = document.title.slice(countInTitle().length)
  if (count > 0) root.dataset['count'] = String(count)
  else delete root.dataset['count']
  document.title = countInTitle() + plainTitle
  // Some browsers have no badges. Others may reject the call, for example in a page that is not installed as an app.
  const badgeChange = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  badgeChange?.catch(() => {})
}
