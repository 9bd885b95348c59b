import type { CustomField } from '#web/data/server/rows.ts'
import { currencySymbol } from '#web/lib/money.ts'
import { typedDay, typedProblem, typedTextOf } from '#web/lib/typed-date.ts'
import { typedAmount, typedNumber } from '#web/lib/typed-number.ts'

type FieldWithType = Pick<CustomField, 'type'>
type FieldWithCurrency = Pick<CustomField, 'type' | 'currency'>

/** The maximum length of a text, in characters, by field type (supabase/migrations: private.custom_value). */
export const maxCustomTextLengths: Readonly<Partial<Record<CustomField['type'], number>>> = {
  text: 500,
  long_text: 5000,
  link: 2000,
}

/** Returns the value of a custom field as the text that an input shows. */
export function fieldText({ type }: FieldWithType, value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return type === 'date' ? typedTextOf(text) : text
}

/** Parses a typed text as the value of a custom field. Null for an empty text, and for a number or a day that cannot be read. */
export function parseFieldText(field: FieldWithCurrency, typed: string): unknown {
  const { type } = field
  const text = typed.trim()
  if (text === '') return null
  if (type === 'number' || type === 'money') return numberOf(field, text)
  if (type === 'date') return typedDay(text, true)
  return type === 'link' && !/^https?:\/\//i.test(text) ? `https://${text}` : text
}

/** Returns the message that says what is wrong with a text typed for a custom field. Null if it is valid. An empty text is valid. */
export function fieldProblem(field: FieldWithCurrency, typed: string): string | null {
  const { type, currency } = field
  const text = typed.trim()
  if (text === '') return null
  if (type === 'date') return typedProblem(text, false, true)
  if (type === 'link')
    return /^(https?:\/\/)?[^\s/?#:]+\.[^\s/?#]+\S*$/i.test(text) ? null : 'Type a web address, such as example.com'
  if (type !== 'number' && type !== 'money') return null
  // A field has one currency. An amount that is typed with the symbol of another currency must not be stored.
  const typedSymbol = /\p{Sc}/u.exec(text.normalize('NFKC'))?.[0]
  if (typedSymbol && currency && !currencySymbol(currency).includes(typedSymbol)) return `This field is in ${currency}`
  const number = numberOf(field, text)
  if (number === null) return 'Type a number, such as 12,400'
  if (Math.abs(number) >= 1e12) return 'That number is too large'
  const maxDecimals = type === 'money' ? 2 : 6
  const numberText = String(number)
  const decimals = /\.(\d+)$/.exec(numberText)?.[1]?.length ?? 0
  // A very small number is written as '1e-7'.
  return decimals > maxDecimals || numberText.includes('e-') ? `At most ${maxDecimals} decimals` : null
}

function numberOf(field: FieldWithCurrency, text: string): number | null {
  return field.type === 'money' ? typedAmount(withoutCurrency(field, text)) : typedNumber(text)
}

/** Removes the code of the field's currency from an amount: '1,200' for 'EUR 1,200' and '1,200eur' in a field of euros. */
export function withoutCurrency({ type, currency }: FieldWithCurrency, text: string): string {
  if (type !== 'money' || !currency) return text
  return text.replace(new RegExp(`^${currency}(?![a-z])|(?<![a-z])${currency}$`, 'i'), '').trim()
}
