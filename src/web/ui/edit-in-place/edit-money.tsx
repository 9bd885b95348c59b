import { useId, useRef } from 'react'
import { currencySymbol, formatMoney } from '#web/lib/money.ts'
import { cx } from '#web/lib/class-names.ts'
import { MoneyIcon } from '#web/ui/icons.tsx'
import { Select } from '#web/ui/select.tsx'
import { useChoice } from './use-choice.ts'
import { EditRow, editableValueClasses, type SaveResult } from './edit-row.tsx'
import { useInPlace } from './use-in-place.ts'

export interface EditMoneyProps {
  label: string
  amount: number
  currency: string
  currencies: readonly string[]
  /** Parses a typed text. The text may name another currency than the given one; `isNamed` is true if the text names any. */
  parse: (text: string, currency: string) => { amount: number; currency: string; isNamed: boolean } | { error: string }
  /** Returns the line that is shown below the field while the field contains this text. Null if there is no such line. */
  note: (text: string, currency: string) => string | null
  onSave: (money: { amount: number; currency: string }) => SaveResult
}

/** An amount and its currency (ISO 4217). Each of the two is edited in place. */
export function EditMoney({ label, amount, currency, currencies, parse, note, onSave }: EditMoneyProps) {
  const choice = useChoice('Currency', currency, (chosen) => {
    const parsed = parse(String(amount), chosen)
    return 'error' in parsed ? Promise.resolve(parsed.error) : onSave({ amount, currency: chosen })
  })
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const inPlace = useInPlace({
    label,
    button,
    field,
    value: String(amount),
    display: formatMoney(amount, currency),
    check: (text) => {
      const parsed = parse(text, currency)
      return 'error' in parsed ? parsed.error : null
    },
    onSave: (text) => {
      const parsed = parse(text, currency)
      if ('error' in parsed) return Promise.resolve(parsed.error)
      if (parsed.amount !== amount || parsed.currency !== currency)
        return onSave({ amount: parsed.amount, currency: parsed.currency })
    },
  })
  const codes = currencies.includes(currency) ? currencies : [currency, ...currencies]
  const parsedShown = parse(inPlace.shown, currency)
  const shownText =
    'error' in parsedShown ? formatMoney(amount, currency) : formatMoney(parsedShown.amount, parsedShown.currency)
  const parsedDraft = parse(inPlace.fieldProps.value, currency)
  const namesCurrency = 'isNamed' in parsedDraft && parsedDraft.isNamed
  const noteId = useId()
  const noteText = note(inPlace.fieldProps.value, currency)
  return (
    <EditRow
      label={label}
      icon={<MoneyIcon />}
      error={inPlace.error ?? choice.error}
      errorId={inPlace.error ? inPlace.errorId : choice.errorId}
      actions={inPlace.actions}
      note={
        inPlace.editing && (
          <p
            id={noteId}
            role="status"
            className={cx('text-xs text-ink2 max-sm:pl-8 sm:col-start-2', noteText && 'pt-1 pb-1 max-sm:pb-2')}
          >
            {noteText}
          </p>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-1">
        {inPlace.editing ? (
          <div className="field-frame -ml-2 h-8 min-w-0 flex-1 max-sm:h-11">
            {!namesCurrency && <span className="pl-2 text-ink3">{currencySymbol(currency)}</span>}
            <input
              ref={field}
              {...inPlace.fieldProps}
              type="text"
              // The field uses the full keyboard of a phone, because people also type 12k and EUR.
              inputMode="text"
              autoCapitalize="off"
              spellCheck={false}
              aria-label={label}
              aria-describedby={inPlace.error ? inPlace.errorId : noteId}
              autoComplete="off"
              enterKeyHint="done"
              className="num h-full w-full min-w-0 rounded-control bg-transparent px-1.5 text-sm max-sm:text-base"
            />
          </div>
        ) : (
          <button
            ref={button}
            type="button"
            data-in-place=""
            aria-label={`${label}: ${shownText}. Edit`}
            onClick={inPlace.start}
            // On the phone the button fills its row up to the currency, so that its frame does not cross the label above the amount.
            className={cx(editableValueClasses, 'num mr-0 w-auto truncate max-sm:flex-auto')}
          >
            {shownText}
          </button>
        )}
        <Select
          value={choice.shown}
          options={codes.map((code) => ({ value: code, label: code }))}
          onChange={choice.choose}
          size="control"
          aria-label="Currency"
          // On the phone the currency is at the right edge, so that its frame does not cross the label above the amount.
          className="field-quiet ml-0 shrink-0 [--lead:0px] max-sm:ml-auto [&>button]:text-ink2"
        />
      </div>
    </EditRow>
  )
}
