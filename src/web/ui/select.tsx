import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { useFieldControl } from './field.tsx'
import { CheckIcon, ChevronsIcon } from './icons.tsx'
import { type FieldSize, fieldHeight } from './input.tsx'
import { useOutside, usePopup } from './use-popup.ts'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
  /** A dot, an avatar. */
  leading?: ReactNode
  /** A quieter word at the end. */
  hint?: ReactNode
}

export interface SelectProps<Value extends string> {
  value: Value | null
  onChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  placeholder?: string
  size?: FieldSize
  disabled?: boolean
  /** Where there is no Field around it. */
  'aria-label'?: string
  className?: string
  'data-autofocus'?: boolean
}

/** One of a few values. Arrows, Home, End and letters choose; Enter and Space open and take, Escape leaves it as it was. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, options, placeholder = 'Choose…', size = 'form', disabled, className, ...named } = props
  const { labelId, ...control } = useFieldControl()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const chosen = options.find((option) => option.value === value)
  usePopup(open, button, list, { matchWidth: true })
  useOutside(open, [button, list], () => setOpen(false))

  const show = (to: number) => {
    setActive(Math.max(0, Math.min(to, options.length - 1)))
    setOpen(true)
    requestAnimationFrame(() => document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' }))
  }
  const take = (index: number) => {
    const option = options[index]
    setOpen(false)
    if (option && option.value !== value) onChange(option.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = open ? active : options.findIndex((option) => option.value === value)
    const key = event.key
    if (key === 'ArrowDown' || key === 'ArrowUp') show(open ? at + (key === 'ArrowDown' ? 1 : -1) : Math.max(at, 0))
    else if (key === 'Home') show(0)
    else if (key === 'End') show(options.length - 1)
    else if ((key === 'Enter' || key === ' ') && !event.ctrlKey && !event.metaKey) {
      if (open) take(active)
      else show(Math.max(at, 0))
    } else if (key === 'Escape' && open) setOpen(false)
    else if (key === 'Tab') {
      setOpen(false)
      return
    } else if (key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const found = byLetter(options, key, at)
      if (found === null) return
      if (open) show(found)
      else take(found)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={cx('field-frame relative', fieldHeight[size], className)} data-open={open}>
      <button
        ref={button}
        type="button"
        role="combobox"
        {...control}
        {...named}
        aria-labelledby={labelId && control.id ? `${labelId} ${control.id}` : undefined}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? `${id}-${active}` : undefined}
        disabled={disabled}
        className="flex h-full w-full min-w-0 items-center gap-2.5 rounded-control px-3 text-left text-base"
        onClick={() =>
          open
            ? setOpen(false)
            : show(
                Math.max(
                  0,
                  options.findIndex((option) => option.value === value),
                ),
              )
        }
        onKeyDown={onKeyDown}
      >
        {chosen?.leading}
        <span className={cx('min-w-0 flex-1 truncate', !chosen && 'text-ink3')}>{chosen?.label ?? placeholder}</span>
        <ChevronsIcon className="shrink-0 text-ink3" />
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          role="listbox"
          popover="manual"
          aria-label={named['aria-label']}
          aria-labelledby={labelId}
          className="rise overflow-y-auto rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
        >
          {options.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={option.value === value}
              className={cx(
                'flex h-8 items-center gap-2.5 rounded-control px-2.5 select-none max-sm:h-12',
                index === active && 'bg-hover dark:bg-active',
              )}
              onPointerMove={() => setActive(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(index)}
            >
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

function byLetter(options: readonly SelectOption<string>[], letter: string, after: number): number | null {
  for (let step = 1; step <= options.length; step++) {
    const index = (after + step + options.length) % options.length
    if (options[index]?.label.toLowerCase().startsWith(letter.toLowerCase())) return index
  }
  return null
}
