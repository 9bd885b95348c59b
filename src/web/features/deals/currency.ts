/** The currencies a deal can be opened in, pounds first; others come with imported rows. */
export const currencies = [
  'GBP',
  'EUR',
  'USD',
  'JPY',
  'CHF',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CAD',
  'AUD',
  'NZD',
  'SGD',
  'HKD',
  'INR',
  'ZAR',
] as const

/** How many decimals an amount of this currency (ISO 4217 code) has: 2 for GBP, 0 for JPY. */
export function currencyDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
