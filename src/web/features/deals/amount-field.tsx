import { type Control, useController } from 'react-hook-form'
import { currencySymbol, formatMoney } from '#web/lib/money.ts'
import { Field } from '#web/ui/field.tsx'
import { AlertIcon } from '#web/ui/icons.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { currencies } from '#web/lib/currencies.ts'
import type { CheckedDeal, TypedDeal } from './new-deal-schema.ts'
import { amountHint, parseAmount } from './parse-amount.ts'

/**
 * The amount of a new deal and its currency. An amount that names a currency ('€12,000') selects that currency. If the text is not a plain
 * number, a line below shows the amount that will be saved.
 */
export function AmountField({ control }: { control: Control<TypedDeal, unknown, CheckedDeal> }) {
  const { field, fieldState } = useController({ control, name: 'amount' })
  const { ref, name, value: text, onChange, onBlur } = field
  const { field: currency } = useController({ control, name: 'currency' })
  const isNumber = parseAmount(text, currency.value) !== null
  const zero = formatMoney(0, currency.value)
  const hintText = isNumber ? text && amountHint(text, currency.value) : `Not a number: saved as ${zero}`

  /** Returns the parsed amount if the text names a currency. */
  const parseWithCurrency = (amount: string) => {
    const parsed = parseAmount(amount, currency.value)
    return parsed && 'amount' in parsed && parsed.isNamed ? parsed : null
  }
  const typeAmount = (typed: string) => {
    const namedAmount = parseWithCurrency(typed)
    onChange(typed)
    if (namedAmount) currency.onChange(namedAmount.currency)
  }
  /** Selects another currency and removes the former currency's sign from the text. */
  const chooseCurrency = (code: string) => {
    const namedAmount = parseWithCurrency(text)
    if (namedAmount) onChange(String(namedAmount.amount))
    currency.onChange(code)
  }

  return (
    <div className="grid grid-cols-[1fr_5.5rem] gap-x-2">
      <Field
        label="Amount"
        error={fieldState.error?.message ?? null}
        hint={
          hintText && (
            <span role="status" className="flex items-start gap-1.5 text-ink2 max-sm:text-sm">
              {!isNumber && (
                <span className="flex h-[1lh] items-center">
                  <AlertIcon className="size-3.5" />
                </span>
              )}
              {hintText}
            </span>
          )
        }
      >
        <Input
          ref={ref}
          name={name}
          value={text}
          onChange={(event) => typeAmount(event.target.value)}
          onBlur={onBlur}
          // A full keyboard, because people also type 12k and EUR.
          inputMode="text"
          autoCapitalize="off"
          spellCheck={false}
          autoComplete="off"
          placeholder="0.00"
          className="num"
          leading={parseWithCurrency(text) ? undefined : currencySymbol(currency.value)}
        />
      </Field>
      <Field label={<span className="opacity-0">Currency</span>}>
        <Select
          value={currency.value}
          onChange={chooseCurrency}
          options={currencies.map((code) => ({ value: code, label: code }))}
        />
      </Field>
    </div>
  )
}
