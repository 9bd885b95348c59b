/** The most characters (Unicode code points) that the database keeps of a text, as its checks say; a test holds the two together. */
export const limits = {
  brands: { name: 200 },
  memberships: { display_name: 200 },
  deal_stages: { name: 200 },
  companies: { name: 200, domain: 253, phone: 50, website: 2000, notes: 10_000 },
  contacts: { first_name: 200, last_name: 200, email: 320, phone: 50, title: 200 },
  deals: { name: 200 },
  tasks: { title: 200 },
} as const

/** Below this an amount must stay; it has two decimals, or none in a currency without a minor unit. */
export const amountLimit = 1e13

/** ISO 4217 currencies without a minor unit: their amounts have no decimals. */
export const wholeCurrencies: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
)

/** Rows that one call of import_contacts takes. */
export const importChunk = 1000
