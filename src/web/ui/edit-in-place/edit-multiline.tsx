import { type ReactNode, useRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { isApple } from '#web/lib/is-apple.ts'
import { Kbd } from '#web/ui/kbd.tsx'
import { EditRow, editableValueClasses, type SaveResult } from './edit-row.tsx'
import { useInPlace } from './use-in-place.ts'

export interface EditMultilineProps {
  label: string
  /** An icon before the label, only on the phone. */
  icon?: ReactNode
  value: string | null
  onSave: (text: string) => SaveResult
  check?: (text: string) => string | null
  maxLength?: number
  placeholder?: string
}

/** A text of several lines that is edited in place. It is saved by Ctrl or Cmd with Enter, or when the person leaves the field. */
export function EditMultiline({
  label,
  icon,
  value,
  onSave,
  check,
  maxLength,
  placeholder = 'Add',
}: EditMultilineProps) {
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const inPlace = useInPlace({
    label,
    button,
    field,
    value: value ?? '',
    display: value ?? '',
    onSave,
    check,
    multiline: true,
  })
  return (
    <EditRow label={label} icon={icon} top error={inPlace.error} errorId={inPlace.errorId} actions={inPlace.actions}>
      {inPlace.editing ? (
        <div className="field-frame -mx-2 w-[calc(100%+1rem)]">
          <textarea
            ref={field}
            {...inPlace.fieldProps}
            rows={3}
            maxLength={maxLength}
            aria-label={label}
            aria-keyshortcuts={isApple ? 'Meta+Enter' : 'Control+Enter'}
            className="field-sizing-content max-h-80 w-full resize-none rounded-control bg-transparent px-2 py-1.5 text-sm max-sm:text-base"
          />
          <p aria-hidden className="px-2 pb-1.5 text-right text-xs text-ink3 max-sm:hidden">
            <Kbd>{isApple ? '⌘' : 'Ctrl'}</Kbd> <Kbd>↵</Kbd> save
          </p>
        </div>
      ) : (
        <button
          ref={button}
          type="button"
          data-in-place=""
          aria-label={`${label}: ${inPlace.shown || 'none'}. Edit`}
          onClick={inPlace.start}
          className={cx(editableValueClasses, 'py-1.5')}
        >
          <span className={cx('min-w-0 whitespace-pre-wrap wrap-anywhere', !inPlace.shown && 'text-ink3')}>
            {inPlace.shown || placeholder}
          </span>
        </button>
      )}
    </EditRow>
  )
}
