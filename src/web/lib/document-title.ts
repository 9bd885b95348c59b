import { useEffect } from 'react'

const PRODUCT = 'Banyan CRM'

/** Sets the tab's title: 'Contacts · Banyan CRM', or the product's name alone. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT
  }, [title])
}
