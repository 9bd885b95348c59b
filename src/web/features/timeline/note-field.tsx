import type { ComponentPropsWithRef, KeyboardEvent } from 'react'
import { limits } from '#shared/limits.ts'
import { cx } from '#web/lib/class-names.ts'
import { isApple } from '#web/lib/is-apple.ts'

interface NoteFieldProps extends Omit<ComponentPropsWithRef<'textarea'>, 'onSubmit'> {
  /** One line until it is used. */
  isSmall: boolean
  /** Ctrl or Cmd with Enter. */
  onSubmit: () => void
  /** Escape. */
  onCancel: () => void
}

/** The text of a note as it is typed. It grows with its content; what is pasted stays text. */
export function NoteField({ isSmall, onSubmit, onCancel, onKeyDown, ...rest }: NoteFieldProps) {
  function pressed(event: KeyboardEvent<HTMLTextAreaElement>) {
    onKeyDown?.(event)
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
    } else if (event.key === 'Escape') {
      // The panel stays open.
      event.preventDefault()
      onCancel()
    }
  }
  return (
    <textarea
      rows={1}
      maxLength={limits.notes.body}
      aria-keyshortcuts={isApple ? 'Meta+Enter' : 'Control+Enter'}
      {...rest}
      onKeyDown={pressed}
      className={cx(
        'field-sizing-content block max-h-80 w-full resize-none rounded-control bg-transparent px-3 py-2 text-sm max-sm:text-base',
        isSmall ? 'min-h-9 max-sm:min-h-11 max-sm:py-2.5' : 'min-h-20',
      )}
    />
  )
}
