import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Addition, Choice } from '#web/lib/choice.ts'
import { cx } from '#web/lib/class-names.ts'
import { countOf } from '#web/lib/count.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { addBackLayer } from './back-layers.ts'
import { hasLabelOrDetail, useAddition } from './combobox-addition.ts'
import { useFieldControl } from './field.tsx'
import { CheckIcon, ChevronsIcon, CloseIcon, PlusIcon } from './icons.tsx'
import { fieldHeightClasses, type FieldSize } from './input.tsx'
import { announce } from './live-region.ts'
import { useActiveOption } from './use-active-option.ts'
import { useBackCloses } from './use-back-closes.ts'
import { useListKeys } from './use-list-keys.ts'
import { useCloseFromOutside, usePopup } from './use-popup.ts'

export interface ComboboxProps {
  value: Choice | null
  onChange: (value: Choice | null) => void
  /**
   * Called with the typed text when the person leaves the field without choosing an option. If the text is the label or the detail of exactly
   * one option, that option is chosen instead. Without `onLeft`, the typed text is dropped.
   */
  onLeft?: (typed: string) => void
  /** Called with the typed text, and when the list opens (see `begin`). The caller then passes the options that match the text. */
  onSearch: (text: string) => void
  options: readonly Choice[]
  /** True while the options that match the typed text are not known yet. The old options stay visible. */
  loading?: boolean
  /** The text of the empty field: 'Search contacts…' */
  placeholder?: string
  /** An icon in the field while no option is chosen. */
  icon?: ReactNode
  /** Renders an element, such as an avatar, before each option and before the chosen value. */
  leading?: (option: Choice) => ReactNode
  /** Gets the input element, for a form that scrolls to the field with an error. */
  fieldRef?: (input: HTMLInputElement | null) => void
  /** True if the avatar of the chosen value is outside the field, so that the field does not show it. */
  bare?: boolean
  /** How to create an option from a typed name. Absent if that is not possible. */
  addition?: Addition
  size?: FieldSize
  'aria-label'?: string
  className?: string
}

/** Time after the last typed letter before the number of results is announced (ms). */
const announceDelayMs = 400

/**
 * A field for one of many options, found by typing: the editable combobox with list autocomplete of the ARIA Authoring Practices. The
 * caller passes the options for the typed text; the first one is active. Nothing is chosen before Enter or a click (but see `onLeft`).
 * Escape and Back close the list and drop the typed text. The cross removes the value, also while the list is open.
 */
export function Combobox(props: ComboboxProps) {
  const {
    value,
    onChange,
    onLeft,
    onSearch,
    options: matches,
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
  const frame = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const open = text !== null
  const { adding, offered, take: add } = useAddition(addition, loading ? null : text, matches, onChange)
  const options = offered ? [...matches, offered] : matches
  const indexForKey = useListKeys(true)
  usePopup(open, frame, popup, { matchWidth: true })
  const { at: activeIndex, lead: activate, field, list, option: optionProps } = useActiveOption(open, options.length)
  const noMatchesText = `No matches${addition ? `. ${addition.hint}` : ''}`
  const resultText = matches.length > 0 ? countOf(matches.length, 'result', 'results') : noMatchesText
  useEffect(() => {
    if (text === null || loading) return
    const timer = setTimeout(announce, announceDelayMs, resultText)
    return () => clearTimeout(timer)
  }, [text, loading, resultText])
  const leave = () => {
    const typed = text?.trim() ?? ''
    setText(null)
    if (!typed || !onLeft) return
    const matchingOptions = loading ? [] : matches.filter((option) => hasLabelOrDetail(option, typed))
    if (matchingOptions[0] && matchingOptions.length === 1) onChange(matchingOptions[0])
    else onLeft(typed)
  }
  useCloseFromOutside(open, [frame, popup], leave)
  useBackCloses(open, () => setText(null), addBackLayer)

  const search = (to: string, active = 0) => {
    setText(to)
    activate(active)
    onSearch(to)
  }
  /** Opens the list with all options. But if the value is a typed text without a choice (its id is ''), searches for that text again. */
  const begin = (active?: number) => search(value?.id === '' ? value.label : '', active)
  const take = (option: Choice | undefined) => {
    if (!option) return leave()
    setText(null)
    if (option === offered) add()
    else onChange(option)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const { key, altKey } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (altKey) {
        if (key === 'ArrowUp') setText(null)
        else if (!open) begin(-1)
      } else if (open) activate(indexForKey(event, options, activeIndex) ?? -1)
      else begin(key === 'ArrowUp' ? Infinity : 0)
    } else if (key === 'Enter' && open && !event.ctrlKey && !event.metaKey) take(options[activeIndex])
    else if (key === 'Escape' && open) setText(null)
    else {
      // These keys move the caret in the text. After that, no option is active.
      if (/^(Arrow|Home|End)/.test(key)) activate(-1)
      if (key === 'Tab' || key === 'Enter') leave()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={frame} className={cx('field-frame', fieldHeightClasses[size], className)} data-open={open}>
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
        {...field}
        aria-autocomplete="list"
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
          ref={popup}
          popover="manual"
          className="rise max-h-[min(18rem,var(--room))] overflow-y-auto rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
        >
          <div
            {...list}
            className="max-w-96"
            aria-label={props['aria-label']}
            aria-labelledby={labelId}
            aria-busy={loading}
          >
            {options.map((option, index) => (
              <div key={option.id} {...optionProps(index, () => take(option))} aria-selected={index === activeIndex}>
                {option === offered ? <PlusIcon className="shrink-0 text-accent-text" /> : leading?.(option)}
                <span className={cx('truncate', option.detail && 'max-w-3/5')}>{option.label}</span>
                {option.detail && <span className="min-w-0 flex-1 truncate text-ink3">{option.detail}</span>}
                {option.id === value?.id && <CheckIcon className="ml-auto shrink-0 text-accent-text" />}
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <p className="max-w-72 px-2.5 py-1.5 text-pretty text-ink3">{loading ? 'Searching…' : noMatchesText}</p>
          )}
        </div>
      )}
    </div>
  )
}
