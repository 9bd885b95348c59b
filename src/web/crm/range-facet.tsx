import { useEffect, useId, useRef, useState } from 'react'
import type { CustomField } from '#web/data/server/rows.ts'
import { DateInput } from '#web/ui/date-input.tsx'
import { Input } from '#web/ui/input.tsx'
import { fieldProblem, fieldText, parseFieldText } from './custom-value.ts'
import { boundsOf } from './facets.tsx'

interface RangeFacetProps {
  field: CustomField
  /** The chosen range as one value, 'from..to'. Empty if none is chosen. */
  chosen: readonly string[]
  onChange: (change: (chosen: readonly string[] | undefined) => readonly string[]) => void
}

/**
 * The two fields for the bounds of a number, an amount or a date. A bound takes effect on Enter, or when its field loses the focus. The range
 * includes both bounds.
 */
export function RangeFacet({ field, chosen, onChange }: RangeFacetProps) {
  const titleId = useId()
  const bounds = boundsOf(chosen)
  const [from, to] = bounds
  const take = (index: 0 | 1, bound: string) =>
    onChange((old) => {
      const [first, last] = boundsOf(old).with(index, bound)
      return first === '' && last === '' ? [] : [`${first}..${last}`]
    })
  const isDate = field.type === 'date'
  const isEmpty = from !== '' && to !== '' && (isDate ? from > to : Number(from) > Number(to))
  return (
    <div role="group" aria-labelledby={titleId} data-range="" className="px-2.5 pb-2">
      <p id={titleId} className="py-1 text-xs text-ink3">
        {field.label}
      </p>
      <div className={isDate ? 'flex flex-col gap-1.5' : 'grid grid-cols-2 gap-1.5'}>
        <Bound field={field} name="from" bound={from} onTake={(bound) => take(0, bound)} />
        <Bound field={field} name="to" bound={to} onTake={(bound) => take(1, bound)} />
      </div>
      {isEmpty && <p className="pt-1 text-xs text-warn">‘To’ is {isDate ? 'before' : 'less than'} ‘From’.</p>}
    </div>
  )
}

interface BoundProps {
  field: CustomField
  name: 'from' | 'to'
  /** The bound in the form in which the URL contains it. '' if there is none. */
  bound: string
  onTake: (bound: string) => void
}

function Bound({ field, name, bound, onTake }: BoundProps) {
  const problemId = useId()
  /** The text that the person is typing. Null while nothing is typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [hasLeft, setLeft] = useState(false)
  const text = typed ?? fieldText(field, bound)
  const problem = hasLeft ? fieldProblem(field, text) : null
  const frame = useRef<HTMLDivElement>(null)
  // The field and its message may be out of view, because the list of facets scrolls.
  useEffect(() => {
    if (problem !== null) frame.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const take = (input: string) => {
    setLeft(true)
    if (typed === null || fieldProblem(field, input) !== null) return
    setTyped(null)
    onTake(boundFromText(field, input))
  }
  const onText = (input: string) => {
    setLeft(false)
    setTyped(input)
  }
  const fieldProps = {
    'aria-label': `${field.label} ${name}`,
    'aria-invalid': problem !== null || undefined,
    'aria-describedby': problem === null ? undefined : problemId,
  }
  return (
    <div ref={frame} className="min-w-0" onKeyDown={({ key }) => key === 'Enter' && take(text)}>
      {field.type === 'date' ? (
        <div className="flex items-center gap-2">
          <span aria-hidden="true" className="w-9 shrink-0 text-ink2">
            {name === 'from' ? 'From' : 'To'}
          </span>
          <DateInput
            {...fieldProps}
            text={text}
            onText={onText}
            onTake={(to) => {
              setTyped(null)
              onTake(boundFromText(field, to))
            }}
            onLeave={take}
            fullYear
            afloat
            className="h-8 min-w-0 flex-1 max-sm:h-11"
            inputClass="pl-2.5 text-sm"
          />
        </div>
      ) : (
        <Input
          {...fieldProps}
          size="control"
          inputMode="decimal"
          autoComplete="off"
          placeholder={name === 'from' ? 'From' : 'To'}
          value={text}
          onChange={({ target }) => onText(target.value)}
          onBlur={() => take(text)}
        />
      )}
      {problem !== null && (
        <p id={problemId} role="alert" className="pt-1 text-xs text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Returns a typed bound in the form in which the URL contains it. */
function boundFromText(field: CustomField, typed: string): string {
  const value = parseFieldText(field, typed)
  return typeof value === 'number' || typeof value === 'string' ? `${value}` : ''
}
