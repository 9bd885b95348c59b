import { useEffect } from 'react'

const productName = 'Banyan CRM'

/**
 * Sets the title of the browser's tab: 'Contacts · Banyan CRM', or only the product's name if there is no title. Null changes nothing; then
 * the panel beside the page sets the title.
 */
export function useDocumentTitle(title?: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = countInTitle() + (title ? `${title} · ${productName}` : productName)
  }, [title])
}

/** Returns the count at the beginning of the tab's title: '(3) ' if the page has a count (`data-count` of its root), otherwise ''. */
export function countInTitle(): string {
  const { count } = document.documentElement.dataset
  return count ? `(${count}) ` : ''
}
