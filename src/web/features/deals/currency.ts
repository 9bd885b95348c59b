/** The currencies of the form, pounds first; imported deals can have others. */
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

/** The number of decimals of a currency (ISO 4217 code): 2 for GBP, 0 for JPY. */
export function currencyDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
