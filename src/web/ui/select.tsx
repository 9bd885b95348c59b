import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { addBackLayer } from './back-layers.ts'
import { useFieldControl } from './field.tsx'
import { CheckIcon, ChevronsIcon } from './icons.tsx'
import { fieldHeightClasses, type FieldSize } from './input.tsx'
import { useActiveOption } from './use-active-option.ts'
import { useBackCloses } from './use-back-closes.ts'
import { useListKeys } from './use-list-keys.ts'
import { useCloseFromOutside, usePopup } from './use-popup.ts'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
  /** Shown before the label: a dot or an avatar. */
  leading?: ReactNode
  /** A muted word at the end of the option. */
  hint?: ReactNode
}

export interface SelectProps<Value extends string> {
  value: Value | null
  onChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  placeholder?: string
  size?: FieldSize
  disabled?: boolean
  /** The accessible name of the field. Needed if there is no Field around it. */
  'aria-label'?: string
  className?: string
  'data-autofocus'?: boolean
}

/**
 * A field for one of a few values: the select-only combobox of the ARIA Authoring Practices. Enter, Space and the keys that move in the list open it.
 * In the open list, arrow keys, Home, End, Page Up, Page Down and letters move. Enter, Space, Tab, and Alt with arrow up choose a value. Escape and
 * Back close the list without a change.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, options, placeholder = 'Choose…', size = 'form', disabled, className, ...rest } = props
  const { labelId, ...control } = useFieldControl()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const indexForKey = useListKeys()
  usePopup(open, button, popup, { matchWidth: true })
  useCloseFromOutside(open, [button, popup], () => setOpen(false))
  useBackCloses(open, () => setOpen(false), addBackLayer)
  const {
    at: activeIndex,
    pointed,
    lead: activate,
    field,
    list,
    option: optionProps,
  } = useActiveOption(open, options.length)
  const chosenIndex = options.findIndex((option) => option.value === value)
  const chosen = options[chosenIndex]

  const openAt = (to: number) => {
    activate(to)
    setOpen(true)
  }
  const choose = (index: number) => {
    const option = options[index]
    setOpen(false)
    if (option && option.value !== value) onChange(option.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (event.ctrlKey || event.metaKey) return
    const to = indexForKey(event, options, open ? activeIndex : chosenIndex)
    const isOpener = key === 'Enter' || key === ' '
    if (open && (isOpener || (key === 'ArrowUp' && event.altKey))) choose(activeIndex)
    else if (open && key === 'Escape') setOpen(false)
    else if (open && key === 'Tab') {
      // If an option is active only because the pointer is over it, leaving the field does not choose it.
      choose(pointed ? -1 : activeIndex)
      return
    } else if (isOpener || (!open && key === 'ArrowDown')) openAt(chosenIndex)
    else if (!open && key === 'ArrowUp') openAt(0)
    else if (to === null) return
    else openAt(to)
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={cx('field-frame relative', fieldHeightClasses[size], className)} data-open={open}>
      <button
        ref={button}
        type="button"
        role="combobox"
        {...control}
        {...rest}
        {...field}
        aria-labelledby={labelId && control.id ? `${labelId} ${control.id}` : undefined}
        disabled={disabled}
        className="flex h-full w-full min-w-0 items-center gap-2.5 rounded-control px-3 text-left text-base"
        onClick={() => (open ? setOpen(false) : openAt(chosenIndex))}
        onKeyDown={onKeyDown}
      >
        {chosen?.leading}
        <span className={cx('min-w-0 flex-1 truncate', !chosen && 'text-ink3')}>{chosen?.label ?? placeholder}</span>
        {chosen && options.some((other) => other !== chosen && other.label === chosen.label) && (
          <span className="max-w-1/2 shrink-0 truncate text-ink3 text-sm">{chosen.hint}</span>
        )}
        <ChevronsIcon className="shrink-0 text-ink3" />
      </button>
      {open && (
        <div
          ref={popup}
          {...list}
          popover="manual"
          aria-label={rest['aria-label']}
          aria-labelledby={labelId}
          className="rise overflow-y-auto rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
        >
          {options.map((option, index) => (
            <div key={option.value} {...optionProps(index, () => choose(index))} aria-selected={option.value === value}>
              {option.leading}
              <span className="min-w-0 flex-1 truncate">{option.label}</span>
              {option.hint && <span className="num text-ink3">{option.hint}</span>}
              {option.value === value && <CheckIcon className="shrink-0 text-accent-text" />}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
