import type { ReactNode } from 'react'
import { returnFocusWhenBarCloses } from './hold-focus.ts'
import { IconButton } from './icon-button.tsx'
import { CloseIcon } from './icons.tsx'

/**
 * The CSS classes of the bar's buttons. On the phone, each is an icon above a short word, in columns of equal width. There, the button of a
 * running export shows only 'Stop', and screen readers still announce its progress.
 */
export const selectionActionClasses =
  'max-sm:h-14 max-sm:w-full max-sm:min-w-0 max-sm:flex-col max-sm:gap-1 max-sm:px-0.5! max-sm:text-xs! max-sm:[&_svg]:size-5 max-sm:[&_[role=status]]:sr-only'

/**
 * The bar with the actions for selected rows. It floats at the bottom of the list; on the phone it is below the list, so that it covers no
 * row. If the bar has the focus when it is removed, the focus returns to the element that had it before the bar. The bar's children are quiet
 * Buttons with the classes `selectionActionClasses`.
 */
export function SelectionBar({
  count,
  label = `${count.toLocaleString('en-GB')} selected`,
  onClear,
  clearLabel = 'Clear selection',
  empty,
  more,
  note,
  children,
}: {
  count: number
  label?: string
  onClear: () => void
  clearLabel?: string
  /** Shown in place of the actions while nothing is selected. Without this text, the bar is hidden while nothing is selected. */
  empty?: string | undefined
  /** Shown beside the count: a button that selects more rows. */
  more?: ReactNode
  /** A remark after the actions about their effect. */
  note?: string | null
  children?: ReactNode
}) {
  const isEmpty = count === 0
  if (isEmpty && !empty) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-6 z-10 flex justify-center px-4 max-sm:static max-sm:shrink-0 max-sm:px-0">
      <div
        ref={returnFocusWhenBarCloses}
        role="toolbar"
        aria-label="Selection"
        data-selection-bar=""
        className="rise pointer-events-auto flex h-12 max-w-full items-center gap-1 rounded-card bg-raised pr-1.5 pl-4 text-sm shadow-pop max-sm:h-auto max-sm:w-full max-sm:flex-wrap max-sm:gap-x-0 max-sm:rounded-none max-sm:border-t max-sm:border-line max-sm:py-1 max-sm:shadow-none dark:max-sm:border-line2"
      >
        <p role="status" className="num mr-2 shrink-0 font-medium max-sm:mr-auto">
          {isEmpty ? empty : label}
        </p>
        {!isEmpty && more}
        {!isEmpty && children && (
          <div className="contents max-sm:order-1 max-sm:-mx-3 max-sm:grid max-sm:basis-[calc(100%+0.875rem)] max-sm:auto-cols-fr max-sm:grid-flow-col">
            {children}
          </div>
        )}
        {!isEmpty && note && (
          <p className="truncate pr-2 text-xs text-ink3 max-sm:order-1 max-sm:basis-full max-sm:pb-1.5">{note}</p>
        )}
        <span className="mx-1 h-5 w-px bg-line2 max-sm:hidden" />
        <IconButton label={clearLabel} shortcut="Esc" icon={<CloseIcon />} onClick={onClear} />
      </div>
    </div>
  )
}
