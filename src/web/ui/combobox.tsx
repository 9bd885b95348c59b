import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { Addition, Choice } from '#web/lib/choice.ts'
import { cx } from '#web/lib/class-names.ts'
import { isNamed, useAddition } from './combobox-addition.ts'
import { useFieldControl } from './field.tsx'
import { CheckIcon, ChevronsIcon, CloseIcon, PlusIcon } from './icons.tsx'
import { type FieldSize, fieldHeight } from './input.tsx'
import { useOutside, usePopup } from './use-popup.ts'

export interface ComboboxProps {
  value: Choice | null
  onChange: (value: Choice | null) => void
  /** What was typed when the field was left without a choice; a text that is the name of one option chooses it. Without this it is forgotten. */
  onLeft?: (typed: string) => void
  /** What the person typed ('' when opened): the caller gives the options for it. */
  onSearch: (text: string) => void
  options: readonly Choice[]
  /** The options of this text are not known yet: the old ones stay. */
  loading?: boolean
  /** 'Search contacts…' */
  placeholder?: string
  /** An icon while nothing is chosen. */
  icon?: ReactNode
  /** In front of an option and of the chosen value: an avatar. */
  leading?: (option: Choice) => ReactNode
  /** For a form, which brings the field with an error into sight. */
  fieldRef?: (input: HTMLInputElement | null) => void
  /** The chosen value has its avatar outside of the field. */
  bare?: boolean
  /** What is typed and not found can be made into a record. */
  addition?: Addition
  size?: FieldSize
  'aria-label'?: string
  className?: string
}

/** One of many, found by typing. The list is the caller's answer to the text; nothing is chosen until Enter or a click (but see `onLeft`); the cross clears, also while it is open. */
export function Combobox(props: ComboboxProps) {
  const {
    value,
    onChange,
    onLeft,
    onSearch,
    options: found,
    addition,
    loading = false,
    placeholder,
    icon,
    leading,
    fieldRef,
    bare = false,
    size = 'form',
    className,
  } = props
  const { labelId, ...control } = useFieldControl()
  const [text, setText] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const open = text !== null
  const { adding, offered, take: add } = useAddition(addition, loading ? null : text, found, onChange)
  const options = offered ? [...found, offered] : found
  const at = Math.min(active, options.length - 1)
  usePopup(open, frame, list, { matchWidth: true })
  const leave = () => {
    const typed = text?.trim() ?? ''
    setText(null)
    if (!typed || !onLeft) return
    const named = loading ? [] : found.filter((option) => isNamed(option, typed))
    if (named[0] && named.length === 1) onChange(named[0])
    else onLeft(typed)
  }
  useOutside(open, [frame, list], leave)

  const search = (to: string) => {
    setText(to)
    setActive(0)
    onSearch(to)
  }
  /** What was typed and not chosen is searched again. */
  const begin = () => search(value?.id === '' ? value.label : '')
  const take = (option: Choice | undefined) => {
    if (!option) return leave()
    setText(null)
    if (option === offered) add()
    else onChange(option)
  }
  const move = (to: number) => {
    if (options.length === 0) return
    const next = (to + options.length) % options.length
    setActive(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (open) move(at + (event.key === 'ArrowDown' ? 1 : -1))
      else begin()
    } else if (event.key === 'Enter' && open && !event.ctrlKey && !event.metaKey) take(options[at])
    else if (event.key === 'Escape' && open) setText(null)
    else {
      if (event.key === 'Tab' || event.key === 'Enter') leave()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={frame} className={cx('field-frame', fieldHeight[size], className)} data-open={open}>
      {(value && !open && leading && !bare) || icon ? (
        <span className="flex shrink-0 pl-3 text-ink3">{value && !open && leading ? leading(value) : icon}</span>
      ) : null}
      <input
        ref={(element) => {
          input.current = element
          fieldRef?.(element)
        }}
        {...control}
        aria-label={props['aria-label']}
        role="combobox"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text ?? adding ?? value?.label ?? ''}
        aria-busy={adding !== null || undefined}
        className="h-full w-full min-w-0 flex-1 truncate rounded-control bg-transparent px-2.5 text-base"
        onChange={(event) => search(event.target.value)}
        onClick={() => {
          if (open) return
          begin()
          input.current?.select()
        }}
        onKeyDown={onKeyDown}
      />
      {value ? (
        <button
          type="button"
          aria-label="Clear"
          className="mr-1.5 grid size-6 shrink-0 place-items-center rounded-badge text-ink3 hover:bg-hover hover:text-ink max-sm:size-11"
          onClick={() => {
            setText(null)
            onChange(null)
            input.current?.focus()
          }}
        >
          <CloseIcon className="size-3.5" />
        </button>
      ) : (
        <ChevronsIcon className="mr-3 shrink-0 text-ink3" />
      )}
      {open && (
        <div
          ref={list}
          popover="manual"
          className="rise max-h-[min(288px,var(--room))] overflow-y-auto rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
        >
          <div id={id} role="listbox" aria-label={props['aria-label']} aria-labelledby={labelId} aria-busy={loading}>
            {options.map((option, index) => (
              <div
                key={option.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={option.id === value?.id}
                className={cx(
                  'flex h-8 max-w-96 items-center gap-2.5 rounded-control px-2.5 select-none max-sm:h-12',
                  index === at && 'bg-hover dark:bg-active',
                )}
                onPointerMove={() => setActive(index)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => take(option)}
              >
                {option === offered ? <PlusIcon className="shrink-0 text-accent-text" /> : leading?.(option)}
                <span className={cx('truncate', option.detail && 'max-w-3/5')}>{option.label}</span>
                {option.detail && <span className="min-w-0 flex-1 truncate text-ink3">{option.detail}</span>}
                {option.id === value?.id && <CheckIcon className="ml-auto shrink-0 text-accent-text" />}
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <p role="status" className="px-2.5 py-1.5 text-ink3">
              {loading ? 'Searching…' : `No matches${addition ? `. ${addition.hint}` : ''}`}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
