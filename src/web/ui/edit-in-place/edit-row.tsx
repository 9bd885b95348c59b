import type { ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertIcon } from '#web/ui/icons.tsx'

/**
 * The result of saving a value: null if it was saved, otherwise the error that the field shows. Void if there is nothing to save, if saving
 * cannot fail, or if the error is shown elsewhere.
 */
export type SaveResult = Promise<string | null> | void

/**
 * Marks an element that belongs to a field, such as a button beside it. A field saves its text when it loses the focus. If the focus moves
 * to a marked element or into one, the field stays open and does not save.
 */
export const keepsFieldAttribute = 'data-keeps-field'

/** A button beside an error, with which the person can act on the error. */
export interface ErrorAction {
  label: string
  run: () => void
}

interface EditRowProps {
  label: string
  /** An icon before the label, only on the phone. */
  icon?: ReactNode
  /** True if neither label nor icon is shown, because the value is a title. */
  bare?: boolean
  /** True if the value has several lines. The label is then beside the first one. */
  top?: boolean
  errorId: string
  error: string | null
  /** The buttons beside the error. */
  actions?: readonly ErrorAction[]
  /** A text below the value. While there is an error, the error is shown instead of this text. */
  note?: ReactNode
  children: ReactNode
}

/** A label and its value, which is edited in place. On phones the touch target includes the icon and the label, which is above the value. */
export function EditRow({
  label,
  icon,
  bare = false,
  top = false,
  errorId,
  error,
  actions = [],
  note,
  children,
}: EditRowProps) {
  return (
    <div
      className={cx(
        !bare && 'relative grid grid-cols-[8rem_minmax(0,1fr)] gap-x-2 max-sm:grid-cols-1 max-sm:px-4',
        top ? 'items-start' : 'items-center',
      )}
    >
      {!bare && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-4.25 left-4 z-1 text-ink3 sm:hidden [&>svg]:size-4.5"
        >
          {icon}
        </span>
      )}
      {!bare && (
        <span
          aria-hidden="true"
          title={label}
          className={cx(
            'text-ink2 max-sm:pointer-events-none max-sm:absolute max-sm:top-2 max-sm:right-4 max-sm:left-12 max-sm:truncate max-sm:z-1 max-sm:text-13/4 max-sm:text-ink3',
            top && 'sm:pt-1.5',
          )}
        >
          {label}
        </span>
      )}
      <div className={cx('min-w-0', !bare && 'under-label', top && '[--under:1.625rem]')}>{children}</div>
      {error && (
        <div
          className={cx(
            'flex items-center gap-2',
            actions.length > 1 && 'flex-wrap pb-2',
            !bare && 'max-sm:pl-8 sm:col-start-2',
          )}
        >
          <p id={errorId} role="alert" className="flex items-center gap-1.5 pt-1 pb-1 text-xs text-danger">
            <AlertIcon className="size-3.5" />
            <span className="min-w-0 wrap-anywhere">{error}</span>
          </p>
          {actions.map(({ label: actionLabel, run }) => (
            <Button
              key={actionLabel}
              size="control"
              // The press must not take the focus from the field, because leaving the field would save its text again.
              onPointerDown={(event) => event.preventDefault()}
              onClick={run}
              {...{ [keepsFieldAttribute]: '' }}
            >
              {actionLabel}
            </Button>
          ))}
        </div>
      )}
      {!error && note}
    </div>
  )
}

/** The CSS classes of a value that can be edited in place. While the pointer is over the value, it has an outline. */
export const editableValueClasses =
  '-mx-2 flex min-h-8 w-[calc(100%+1rem)] min-w-0 items-center gap-2 rounded-control px-2 text-left hover:ring-1 hover:ring-line2 hover:ring-inset max-sm:min-h-11'
