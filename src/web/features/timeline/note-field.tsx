import { type ComponentPropsWithoutRef, type KeyboardEvent, type RefCallback, useLayoutEffect, useRef } from 'react'
import { limits } from '#shared/limits.ts'
import { type ChangeMentions, useMentions } from '#web/crm/use-mentions.tsx'
import { cx } from '#web/lib/class-names.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { isApple } from '#web/lib/is-apple.ts'

interface NoteFieldProps extends Omit<ComponentPropsWithoutRef<'textarea'>, 'onSubmit'> {
  ref: RefCallback<HTMLTextAreaElement>
  /** Whether the field shows only one line. */
  isSmall: boolean
  /** Called on Ctrl or Cmd with Enter. */
  onSubmit: () => void
  /** Called on Escape. */
  onCancel: () => void
  /** Called with a function that returns the mentioned people after a choice or an edit. */
  onMentions: (change: ChangeMentions) => void
}

/** The text field of a note. It grows with its content; pasted content is inserted as plain text; '@' completes the names of members. */
export function NoteField(props: NoteFieldProps) {
  const { ref, isSmall, onSubmit, onCancel, onMentions, onKeyDown, onBlur, ...textareaProps } = props
  const textarea = useRef<HTMLTextAreaElement>(null)
  const mentions = useMentions(textarea, onMentions)
  // If a text area has the focus when it is mounted, the browser puts the caret before the text. It belongs after the text.
  useLayoutEffect(() => {
    const element = textarea.current
    if (element === document.activeElement) element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  function handleKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (mentions.onKeyDown(event)) return
    onKeyDown?.(event)
    if (event.defaultPrevented || isComposing(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
    } else if (event.key === 'Escape') {
      // Tells the panel that the key is handled. Without this, Escape would also close the panel.
      event.preventDefault()
      onCancel()
    }
  }
  return (
    <>
      <textarea
        rows={1}
        maxLength={limits.notes.body}
        aria-keyshortcuts={isApple ? 'Meta+Enter' : 'Control+Enter'}
        {...textareaProps}
        {...mentions.field}
        ref={(element) => {
          textarea.current = element
          return ref(element)
        }}
        onKeyDown={handleKeyDown}
        onBlur={(event) => {
          mentions.close()
          onBlur?.(event)
        }}
        className={cx(
          'field-sizing-content block max-h-80 w-full resize-none rounded-control bg-transparent px-3 py-2 text-sm max-sm:text-base',
          isSmall ? 'min-h-9 max-sm:min-h-11 max-sm:py-2.5' : 'min-h-20',
        )}
      />
      {mentions.list}
    </>
  )
}
