interface Option<Value extends string> {
  value: Value
  /** The first line of the card: who entered the value ('Yours', 'Ana Pryce'), or what the choice does ('Keep theirs'). */
  label: string
  /** A second, less prominent line: when or how the value was entered. */
  detail: string
  /** The value, as text. */
  shown: string
}

interface ValueChoiceProps<Value extends string> {
  /** The name of the field. Null if the dialog's title names it. */
  legend: string | null
  name: string
  /** True if this is the dialog's first choice. Its chosen card gets the focus when the dialog opens. */
  isFirst: boolean
  value: Value
  onChange: (value: Value) => void
  options: readonly Option<Value>[]
}

/** A choice between values, each shown on its own card. */
export function ValueChoice<Value extends string>(props: ValueChoiceProps<Value>) {
  const { legend, name, isFirst, value, onChange, options } = props
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className={legend ? 'mb-1.5 text-xs text-ink3 first-letter:uppercase' : 'sr-only'}>
        {legend ?? 'Which is right'}
      </legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-w-0 cursor-pointer items-center gap-4 rounded-card px-4 py-3 ring-1 ring-line2 ring-inset hover:bg-hover has-checked:bg-accent-soft has-checked:ring-2 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            data-autofocus={isFirst && option.value === value ? '' : undefined}
            className="size-4.5 shrink-0 accent-accent outline-none"
          />
          <span className="min-w-0 flex-1 text-sm">
            <span className="block truncate font-medium">{option.label}</span>
            <span className="num block text-13/5 text-ink2">{option.detail}</span>
          </span>
          <span className="num max-w-[55%] min-w-0 text-right text-16/6 font-semibold break-words">{option.shown}</span>
        </label>
      ))}
    </fieldset>
  )
}
