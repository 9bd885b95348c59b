import { useEffect } from 'react'

const productName = 'Banyan CRM'

/**
 * Sets the tab's title: 'Contacts · Banyan CRM', or only the product's name. Null changes nothing, because the panel beside the page sets
 * the title.
 */
export function useDocumentTitle(title?: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = countInTitle() + (title ? `${title} · ${productName}` : productName)
  }, [title])
}

/** Returns the prefix of the title: '(3) ' if the page has a count (`data-count` of its root), else ''. */
export function countInTitle(): string {
  const { count } = document.documentElement.dataset
  return count ? `(${count}) ` : ''
}
