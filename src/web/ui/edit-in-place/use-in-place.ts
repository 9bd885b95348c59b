import { type KeyboardEvent, type RefObject, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { giveFocus } from '#web/ui/focus.ts'
import type { Saved } from './edit-row.tsx'

interface InPlaceOptions {
  /** What shows the value, and the field that takes its place. */
  button: RefObject<HTMLButtonElement | null>
  field: RefObject<HTMLElement | null>
  /** The value as it would be typed. */
  value: string
  onSave: (text: string) => Saved
  /** What is wrong with a text; null: nothing. */
  check?: ((text: string) => string | null) | undefined
  /** Enter makes a new line; Ctrl or Cmd with Enter saves. */
  multiline?: boolean
}

const changedMeanwhile = 'Somebody changed this meanwhile. Save again to keep yours, Escape to see theirs.'

/**
 * A value that becomes a field when it is pressed: Enter and leaving it (also by Back) save, Escape restores. What was refused stays
 * typed, with the error, and so does, once, what would overwrite a value that came while it was typed; a text that changes nothing is not
 * saved. Afterwards the focus is on the value again.
 */
export function useInPlace({ button, field, value, onSave, check, multiline = false }: InPlaceOptions) {
  const [draft, setDraft] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const returns = useRef(false)
  /** The value that was there when the editing began, or that somebody was told of since. */
  const seen = useRef(value)
  const errorId = useId()
  const editing = draft !== null

  useLayoutEffect(() => {
    if (editing) selectAll(field)
    else if (returns.current) giveFocus(button.current)
    returns.current = false
  }, [editing, button, field])

  const show = (text: string, problem: string) => {
    setDraft(text)
    setError(problem)
  }
  const save = async (isLeaving = false) => {
    if (draft === null) return
    const problem = check?.(draft) ?? null
    if (problem !== null) return show(draft, problem)
    const isSame = draft.trim() === value || draft === seen.current
    if (!isSame && seen.current !== value && !isLeaving) {
      seen.current = value
      return show(draft, changedMeanwhile)
    }
    setDraft(null)
    setError(null)
    if (isSame) return
    setSent(draft.trim())
    const refused = await onSave(draft)
    setSent(null)
    if (refused) show(draft, refused)
  }
  // Back takes the field away without a blur. A layout effect, because what is wrong with a date is asked of the field itself.
  const leave = useEffectEvent(() => void save(true))
  useLayoutEffect(() => () => leave(), [])

  const cancel = () => {
    returns.current = true
    setDraft(null)
    setError(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel()
    else if (
      event.key === 'Enter' &&
      !event.nativeEvent.isComposing &&
      (!multiline || event.ctrlKey || event.metaKey)
    ) {
      returns.current = true
      void save()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    editing,
    /** What stands there now: what was just saved, before the record has it. */
    shown: sent ?? value,
    error,
    errorId,
    start: () => {
      seen.current = value
      setDraft(value)
    },
    /** For the field; also for an element around several fields. */
    fieldProps: {
      value: draft ?? '',
      'aria-invalid': error ? (true as const) : undefined,
      'aria-describedby': error ? errorId : undefined,
      onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
      onKeyDown,
      onBlur: () => void save(),
    },
  }
}

function selectAll(field: RefObject<HTMLElement | null>): void {
  const element = field.current
  giveFocus(element)
  if (element instanceof HTMLInputElement && /^(text|email|tel|url)$/.test(element.type)) element.select()
  if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length)
}
