import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { useSession } from '#web/data/session/session.ts'

interface LastCurrency {
  /** ISO 4217 code; pounds before the first deal. */
  currency: string
  remember: (currency: string) => void
}

/** The currency of the deal that this person added last in this brand, on this device: the next one begins with it. */
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
    // Storage may be full or forbidden: then it is not remembered.
  }
}
