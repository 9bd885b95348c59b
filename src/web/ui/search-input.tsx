import { useLayoutEffect, useRef } from 'react'
import { isComposing } from '#web/lib/is-composing.ts'
import { CloseIcon, SearchIcon } from './icons.tsx'
import { Input } from './input.tsx'
import { Kbd } from './kbd.tsx'
import { Spinner } from './spinner.tsx'

export interface SearchInputProps {
  value: string
  onChange: (value: string) => void
  /** The placeholder and the accessible name of the field: 'Search contacts...'. */
  label: string
  /** True if the key '/' focuses the field, unless the person is typing elsewhere. True by default. */
  shortcut?: boolean
  /** True while the results of the search have not arrived. */
  pending?: boolean
  className?: string
}

/** A search field: '/' focuses it. Escape clears it, or leaves it if it is empty. */
export function SearchInput({ value, onChange, label, shortcut = true, pending, className }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (!shortcut) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (input.current?.closest('[inert]')) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [shortcut])
  return (
    <Input
      ref={input}
      type="text"
      role="searchbox"
      inputMode="search"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      size="control"
      className={className}
      aria-label={label}
      aria-keyshortcuts={shortcut ? '/' : undefined}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return
        if (value) {
          event.stopPropagation()
          onChange('')
        } else input.current?.blur()
      }}
      leading={<SearchIcon />}
      trailing={
        pending ? (
          <Spinner />
        ) : value ? (
          <button
            type="button"
            aria-label="Clear search"
            className="grid size-6 place-items-center rounded-badge hover:bg-hover hover:text-ink max-sm:size-11"
            onClick={() => {
              onChange('')
              input.current?.focus()
            }}
          >
            <CloseIcon className="size-3.5" />
          </button>
        ) : (
          shortcut && (
            <span className="key-hint">
              <Kbd>/</Kbd>
            </span>
          )
        )
      }
    />
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
