import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useContext,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isComposing } from '#web/lib/is-composing.ts'
import { giveFocus } from '#web/ui/focus.ts'
import { type ErrorAction, keepsFieldAttribute, type SaveResult } from './edit-row.tsx'
import { EditedContentContext } from './edited-content.ts'
import { focusField } from './focus-field.ts'
import { useFieldError } from './use-field-error.ts'
import { useKnownValue } from './use-known-value.ts'
import { usePageLeft } from './use-page-left.ts'

interface InPlaceOptions {
  /** The name of the value, for an error that comes after the field has left the screen. */
  label: string
  /** The button that shows the value. (`field` is the text field that replaces it.) */
  button: RefObject<HTMLButtonElement | null>
  field: RefObject<HTMLElement | null>
  /** The value as the text that the field shows. */
  value: string
  /** The value as its row shows it, for a warning that somebody has changed it. Empty if there is none. */
  display: string
  onSave: (text: string) => SaveResult
  /** Returns the message that says what is wrong with a text. Null if it can be saved. */
  check?: ((text: string) => string | null) | undefined
  /** True if Enter inserts a line break. Ctrl or Cmd with Enter then saves. */
  multiline?: boolean
}

/**
 * Why a text is saved. 'asked': by Enter, by 'Keep mine', or because the text was chosen. Otherwise the person has left the field, the panel
 * with the field, or the page (for another tab or app, or by a reload).
 */
type SaveReason = 'asked' | 'field left' | 'panel left' | 'page left'

/** Time from leaving a field until its warning (ms): longer than the press that leaves it, because the pressed control must not move. */
const warningDelayMs = 250

/**
 * A value that becomes a field when it is pressed. Enter and leaving the field (also by Back) save; Escape restores the value. A refused
 * text stays in the field with an error. If the field has left the screen, its error is a toast. An unchanged text is not saved. If
 * Enter or Escape closes the field, the value's button gets the focus.
 *
 * If somebody else changed the value while the person typed, the text is not saved. A warning shows the other value, once for each newer
 * value, with the buttons 'Keep mine' and 'Show theirs'. After it, only 'Keep mine' and Enter save: a field that is left stays open. If its panel is
 * left, a toast has both values and 'Keep mine'.
 *
 * If the page is left, a valid text is saved, because the page may never come back, but the field stays open. Escape then closes it and
 * restores nothing.
 */
export function useInPlace(options: InPlaceOptions) {
  const { label, button, field, value, display, onSave, check, multiline = false } = options
  const [draft, setDraft] = useState<string | null>(null)
  const [textBeingSaved, setTextBeingSaved] = useState<string | null>(null)
  // Must be called before the effect that saves on removal, because cleanups run in the order of their effects.
  const [fieldError, setError] = useFieldError(label)
  const [isRefused, setIsRefused] = useState(false)
  /** The other value about which the person is warned, and the warning. */
  const [warning, setWarning] = useState<{ value: string; message: string } | null>(null)
  const warningTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const refocus = useRef(false)
  const knownValue = useKnownValue(value)
  const errorId = useId()
  const editing = draft !== null

  useLayoutEffect(() => {
    if (editing) focusField(field)
    else if (refocus.current) giveFocus(button.current)
    refocus.current = false
  }, [editing, button, field])

  const show = (text: string | null) => {
    setDraft(text)
    setError(null)
    setIsRefused(false)
    setWarning(null)
  }
  const reopenWithError = (text: string, problem: string, isRefusal = false) => {
    refocus.current = false
    show(text)
    setError(problem)
    setIsRefused(isRefusal)
  }
  const warn = (text: string, reason: SaveReason) => {
    const message = display
      ? `Somebody changed this to “${shortened(display)}” meanwhile.`
      : 'Somebody emptied this meanwhile.'
    if (reason === 'asked') {
      refocus.current = false
      show(text)
      setWarning({ value, message })
    }
    if (reason === 'field left') warningTimer.current = setTimeout(setWarning, warningDelayMs, { value, message })
    if (reason === 'panel left') {
      const typed = text.trim() ? `You typed “${shortened(text)}”.` : 'You emptied it.'
      const keepMine = async () => setError((await onSave(text)) ?? null)
      setError(`${message} ${typed}`, { label: 'Keep mine', run: () => void keepMine() })
    }
  }
  const save = async (reason: SaveReason, text = draft) => {
    if (text === null) return
    const problem = check?.(text) ?? null
    if (problem !== null) return reason === 'page left' ? undefined : reopenWithError(text, problem)
    const isConfirmed = reason === 'asked' && warning?.value === value
    const isSame = text.trim() === value || (knownValue.isUnchanged(text) && !isConfirmed)
    if (!isSame && knownValue.isOutdated() && !isConfirmed) return warn(text, reason)
    if (reason === 'page left') return isSame ? undefined : saveOpen(text)
    show(null)
    if (isSame) return
    setTextBeingSaved(text.trim())
    const refusal = await onSave(text)
    setTextBeingSaved(null)
    if (refusal) reopenWithError(text, refusal, true)
  }
  /** Saves a text and leaves the field open. */
  const saveOpen = async (text: string) => {
    const refusal = await knownValue.saveOpen(text, onSave)
    if (!refusal) return
    // What the person has typed meanwhile stays in the field.
    setDraft((newer) => newer ?? text)
    setError(refusal)
    setIsRefused(true)
  }
  // Back removes the field without a blur event.
  const { isDeleted } = useContext(EditedContentContext)
  const leave = useEffectEvent(() => void (isDeleted || save('panel left')))
  useLayoutEffect(() => () => leave(), [])
  usePageLeft(editing, () => void (isDeleted || save('page left')))

  const cancel = () => {
    refocus.current = true
    show(null)
  }
  const saveAsAsked = (text?: string) => {
    refocus.current = true
    void save('asked', text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey)) saveAsAsked()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const error = (editing ? warning?.message : null) ?? fieldError
  const warningActions: readonly ErrorAction[] = [
    { label: 'Keep mine', run: () => saveAsAsked() },
    { label: 'Show theirs', run: cancel },
  ]
  return {
    editing,
    /** The value that is shown: the typed text while it is being saved, otherwise the current value. */
    shown: textBeingSaved ?? value,
    error,
    /** Whether `error` is the error of `onSave`, neither an error of `check` nor a warning. */
    isRefused,
    errorId,
    /** The buttons beside a warning. */
    actions: editing && warning ? warningActions : [],
    start: () => {
      clearTimeout(warningTimer.current)
      knownValue.begin()
      show(value)
    },
    /** Closes the field without saving its text. */
    cancel,
    /** Saves a text that the person has chosen rather than typed. */
    take: saveAsAsked,
    /** The props of the field, or of an element around several fields. */
    fieldProps: {
      value: draft ?? '',
      'aria-invalid': error ? (true as const) : undefined,
      'aria-describedby': error ? errorId : undefined,
      onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
      onKeyDown,
      onBlur: (event?: Pick<FocusEvent, 'relatedTarget'>) => {
        // If the person goes to another window or tab, the field loses the focus, but stays the active element and gets the focus again.
        if (field.current?.parentElement?.contains(document.activeElement)) return void save('page left')
        const nextFocus = event?.relatedTarget
        if (!(nextFocus instanceof Element && nextFocus.closest(`[${keepsFieldAttribute}]`))) void save('field left')
      },
    },
  }
}

/** Returns the text on one line, with at most 80 characters. */
function shortened(text: string): string {
  const characters = Array.from(text.trim().replace(/\s+/g, ' '))
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : characters.join('')
}
