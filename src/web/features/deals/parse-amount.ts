import { formatMoney } from '#web/lib/money.ts'
import { currencyDigits, currencyNamed } from './currency.ts'
import { decimalOf } from '#web/lib/decimal-of.ts'

export interface ParsedAmount {
  amount: number
  /** The currency that the text names, otherwise the currency of the field. */
  currency: string
  /** Whether the text names its currency. */
  isNamed: boolean
}

/**
 * Parses a typed or pasted amount: with any thousands and decimal separators (`decimalOf`), with k, m or bn for thousands, millions and
 * billions, and with the sign or code of its currency before or after. `currency` is the field's currency. An empty text is 0. Returns
 * null if the text is not a number. Errors: a negative amount, one of `amountLimit` or more, and too many decimals, because rounding would change
 * money silently.
 */
export function parseAmount(text: string, currency: string): ParsedAmount | { error: string } | null {
  const clean = normalised(text)
  if (clean === '') return { amount: 0, currency, isNamed: false }
  const [, textBefore = '', number, textAfter = ''] = partsPattern.exec(clean) ?? []
  if (!number) return null
  const unit = unitOf(withoutSigns(textBefore), withoutSigns(textAfter), currency)
  const decimal = unit && decimalOf(number, unit.zeros)
  if (!decimal) return null
  if (textBefore.includes('-') || textAfter.endsWith('-') || (textBefore.includes('(') && textAfter.includes(')'))) {
    return { error: 'Amount cannot be negative' }
  }
  const digits = currencyDigits(unit.currency)
  const decimals = decimal.split('.')[1]?.length ?? 0
  if (decimals > digits) return { error: digits === 0 ? 'Whole numbers only' : `At most ${digits} decimals` }
  const amount = Number(decimal)
  if (amount >= amountLimit) return { error: 'Amount is too large' }
  return { amount, currency: unit.currency, isNamed: unit.isNamed }
}

/**
 * Returns the line below the field while a text is typed: 'Saved as €12,000' for '12k €'. Null if the text is already clear, is not a
 * number, or is refused by `parseAmount`.
 */
export function amountHint(text: string, currency: string): string | null {
  const parsed = parseAmount(text, currency)
  if (!parsed || 'error' in parsed || /^(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(text.trim())) return null
  return `Saved as ${formatMoney(parsed.amount, parsed.currency)}`
}

/** The database's limit. Below it, a double has enough digits for two decimals. */
const amountLimit = 1_000_000_000_000

/**
 * Matches the text before the number, the number from its first to its last digit, and the text after it. A point or comma after the number,
 * with or without a dash ('5.', '5.–'), belongs to none of the three.
 */
const partsPattern = /^(\D*?)((?:(?<!\p{L})[.,])?\d(?:.*\d)?)(?:[.,](?:\s*[-–—])?)?(\D*)$/u

/** The digits 0 to 9 of four scripts: Arabic, Persian, Devanagari and Bengali. */
const foreignDigits = '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯'
const foreignDigit = new RegExp(`[${foreignDigits}]`, 'g')

/** Returns the text with digits from 0 to 9, one kind of space, apostrophe and minus, and without direction marks. */
function normalised(text: string): string {
  // NFKC would turn ² into the digit 2, and ½ into three characters.
  if (/\p{No}/u.test(text)) return text
  return text
    .normalize('NFKC')
    .replaceAll(foreignDigit, (digit) => String(foreignDigits.indexOf(digit) % 10))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[’٬]/g, "'")
    .replaceAll('٫', '.')
    .replaceAll('−', '-')
    .trim()
}

function withoutSigns(text: string): string {
  return text.replaceAll(/[-+()]/g, '').trim()
}

/** The suffixes for thousands, millions and billions, as powers of ten. */
const powers: Readonly<Record<string, number>> = {
  '': 0,
  k: 3,
  thousand: 3,
  m: 6,
  mm: 6,
  mn: 6,
  mio: 6,
  mln: 6,
  million: 6,
  b: 9,
  bn: 9,
  mrd: 9,
  billion: 9,
}

interface AmountUnit {
  currency: string
  isNamed: boolean
  zeros: number
}

/** Reads the currency and the power of ten from the texts before and after a number. Null if a text has another meaning. */
function unitOf(textBefore: string, textAfter: string, current: string): AmountUnit | null {
  for (const [word, zeros] of Object.entries(powers)) {
    if (!textAfter.toLowerCase().startsWith(word)) continue
    const names = [textBefore, textAfter.slice(word.length).replace(/^\./, '')].filter((name) => name.trim() !== '')
    const currency = currencyNamed(names, current)
    if (currency) return { currency, isNamed: names.length > 0, zeros }
  }
  return null
}
