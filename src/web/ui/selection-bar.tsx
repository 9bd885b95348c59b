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
 * The bar with the actions for selected rows. It floats at the bottom of the list, on several lines if the list is too narrow for one; on the
 * phone it is below the list, so that it covers no row. If the bar has the focus when it is removed, the focus returns to the element that
 * had it before the bar. The bar's children are quiet Buttons with the classes `selectionActionClasses`.
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
        ref={attachBar}
        role="toolbar"
        aria-label="Selection"
        data-selection-bar=""
        className="rise pointer-events-auto flex max-w-full items-start gap-1 rounded-card bg-raised py-2 pr-1.5 pl-4 text-sm shadow-pop max-sm:w-full max-sm:flex-wrap max-sm:items-center max-sm:gap-x-0 max-sm:rounded-none max-sm:border-t max-sm:border-line max-sm:py-1 max-sm:shadow-none dark:max-sm:border-line2"
      >
        <div className="flex min-w-0 flex-wrap items-center gap-x-1 max-sm:contents">
          <p
            role="status"
            className="num mr-2 flex min-h-8 shrink-0 items-center font-medium max-sm:min-h-0 max-sm:mr-auto"
          >
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
        </div>
        <span className="mx-1 mt-1.5 h-5 w-px shrink-0 bg-line2 max-sm:hidden" />
        <IconButton label={clearLabel} shortcut="Esc" icon={<CloseIcon />} onClick={onClear} />
      </div>
    </div>
  )
}

/** How far toasts move up in addition to the bar's height (px). There are then 12 px between the bar and a toast. */
const toastShiftPx = 20

/**
 * Sets the CSS variable `--selection-bar` to the distance by which toasts move up while the bar is shown, and updates
 * the variable when the bar's height changes. Also returns the focus when the bar closes. Use this function as the bar's
 * ref callback.
 */
function attachBar(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  const { style } = document.documentElement
  const resizeObserver = new ResizeObserver(() =>
    style.setProperty('--selection-bar', `${bar.offsetHeight + toastShiftPx}px`),
  )
  resizeObserver.observe(bar)
  const returnFocus = returnFocusWhenBarCloses(bar)
  return () => {
    resizeObserver.disconnect()
    style.removeProperty('--selection-bar')
    returnFocus?.()
  }
}
