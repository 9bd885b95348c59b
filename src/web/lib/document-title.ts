import { useEffect } from 'react'

const productName = 'Banyan CRM'

/** Sets the tab's title: 'Contacts · Banyan CRM', or the product's name alone. Null changes nothing: the panel beside the page sets it. */
export function useDocumentTitle(title?: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = title ? `${title} · ${productName}` : productName
  }, [title])
}
