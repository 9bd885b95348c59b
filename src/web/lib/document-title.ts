import { useEffect } from 'react'

const productName = 'Banyan CRM'

/** Sets the tab's title: 'Contacts · Banyan CRM', or the product's name alone. Null changes nothing: the panel beside the page sets it. */
export function useDocumentTitle(title?: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = countInTitle() + (title ? `${title} · ${productName}` : productName)
  }, [title])
}

/** '(3) ' where the page has a count (`data-count` of its root), which every title begins with. */
export function countInTitle(): string {
  const { count } = document.documentElement.dataset
  return count ? `(${count}) ` : ''
}
