import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { useSession } from '#web/data/session/session.ts'

interface LastCurrency {
  /** ISO 4217 code; GBP before the first deal. */
  currency: string
  remember: (currency: string) => void
}

/** The currency of the last deal that this person added in this brand on this device. The form for the next deal starts with it. */
export function useLastCurrency(): LastCurrency {
  const brandId = useActiveBrand().brand?.id
  const key = `banyan-currency-${useSession().session?.userId}-${brandId}`
  return { currency: storedCurrency(key) ?? 'GBP', remember: (currency) => storeCurrency(key, currency) }
}

function storedCurrency(key: string): string | null {
  try {
    const stored = localStorage.getItem(key)
    return stored !== null && /^[A-Z]{3}$/.test(stored) ? stored : null
  } catch {
    return null
  }
}

function storeCurrency(key: string, currency: string): void {
  try {
    localStorage.setItem(key, currency)
  } catch {
    // If the storage is full or blocked, the currency is not stored.
  }
}
