/** The currencies that forms offer, pounds first. Imported deals can have others. */
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
]
