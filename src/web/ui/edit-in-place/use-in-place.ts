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
import { keepsFieldAttribute, type SaveResult } from './edit-row.tsx'
import { EditedContentContext } from './edited-content.ts'
import { useFieldError } from './use-field-error.ts'

interface InPlaceOptions {
  /** The name of the value, for an error that comes after the field has left the screen. */
  label: string
  /** The button that shows the value. (`field` is the text field that replaces it.) */
  button: RefObject<HTMLButtonElement | null>
  field: RefObject<HTMLElement | null>
  /** The value as the text that the field shows. */
  value: string
  onSave: (text: string) => SaveResult
  /** Returns the message that says what is wrong with a text. Null if it can be saved. */
  check?: ((text: string) => string | null) | undefined
  /** True if Enter inserts a line break. Ctrl or Cmd with Enter then saves. */
  multiline?: boolean
}

const changedMeanwhile = 'Somebody changed this meanwhile. Save again to keep yours, Escape to see theirs.'

/**
 * A value that becomes a field when it is pressed. Enter and leaving the field (also by Back) save; Escape restores the value. A refused
 * text stays in the field with an error. If somebody else changed the value while the person typed, saving shows a warning, once for each
 * newer value. The next attempt saves. Back saves at once. If the field has left the screen, its error is a toast. An unchanged text is not saved. If
 * Enter or Escape closes the field, the value's button gets the focus.
 */
export function useInPlace({ label, button, field, value, onSave, check, multiline = false }: InPlaceOptions) {
  const [draft, setDraft] = useState<string | null>(null)
  const [textBeingSaved, setTextBeingSaved] = useState<string | null>(null)
  // Before the effect that saves on removal: cleanups run in this order.
  const [error, setError] = useFieldError(label)
  const [isRefused, setIsRefused] = useState(false)
  const refocus = useRef(false)
  /** The value that the person knows: the value when editing began, or the newer value about which a warning was shown. */
  const knownValue = useRef(value)
  const errorId = useId()
  const editing = draft !== null

  useLayoutEffect(() => {
    if (editing) focusField(field)
    else if (refocus.current) giveFocus(button.current)
    refocus.current = false
  }, [editing, button, field])

  const reopenWithError = (text: string, problem: string, isRefusal = false) => {
    refocus.current = false
    setDraft(text)
    setError(problem)
    setIsRefused(isRefusal)
  }
  const save = async (isLeaving = false, text = draft) => {
    if (text === null) return
    const problem = check?.(text) ?? null
    if (problem !== null) return reopenWithError(text, problem)
    const isSame = text.trim() === value || text === knownValue.current
    if (!isSame && knownValue.current !== value && !isLeaving) {
      knownValue.current = value
      return reopenWithError(text, changedMeanwhile)
    }
    setDraft(null)
    setError(null)
    if (isSame) return
    setTextBeingSaved(text.trim())
    const refusal = await onSave(text)
    setTextBeingSaved(null)
    if (refusal) reopenWithError(text, refusal, true)
  }
  // Back removes the field without a blur event.
  const { isDeleted } = useContext(EditedContentContext)
  const leave = useEffectEvent(() => void (isDeleted || save(true)))
  useLayoutEffect(() => () => leave(), [])

  const cancel = () => {
    refocus.current = true
    setDraft(null)
    setError(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey)) {
      refocus.current = true
      void save()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    editing,
    /** The value that is shown: the typed text while it is being saved, otherwise the current value. */
    shown: textBeingSaved ?? value,
    error,
    /** Whether `error` is the error of `onSave`, neither an error of `check` nor a warning. */
    isRefused,
    errorId,
    start: () => {
      knownValue.current = value
      setDraft(value)
    },
    /** Closes the field without saving its text. */
    cancel,
    /** Saves a text that the person has chosen rather than typed. */
    take: (text: string) => {
      refocus.current = true
      void save(false, text)
    },
    /** The props of the field, or of an element around several fields. */
    fieldProps: {
      value: draft ?? '',
      'aria-invalid': error ? (true as const) : undefined,
      'aria-describedby': error ? errorId : undefined,
      onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
      onKeyDown,
      onBlur: (event?: Pick<FocusEvent, 'relatedTarget'>) => {
        const nextFocus = event?.relatedTarget
        if (!(nextFocus instanceof Element && nextFocus.closest(`[${keepsFieldAttribute}]`))) void save()
      },
    },
  }
}

function focusField(field: RefObject<HTMLElement | null>): void {
  const element = field.current
  giveFocus(element)
  if (element instanceof HTMLInputElement && /^(text|email|tel|url)$/.test(element.type)) element.select()
  if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length)
}
