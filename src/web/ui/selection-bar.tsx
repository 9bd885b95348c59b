import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { CloseIcon } from './icons.tsx'

/** The actions for selected rows, floating at the bottom of their list. Its children are quiet Buttons. */
export function SelectionBar({
  count,
  label = `${count.toLocaleString('en-GB')} selected`,
  onClear,
  clearLabel = 'Clear selection',
  empty,
  children,
}: {
  count: number
  label?: string
  onClear: () => void
  clearLabel?: string
  /** Instead of the actions while nothing is selected; without it there is no bar then. */
  empty?: string | undefined
  children: ReactNode
}) {
  const isEmpty = count === 0
  if (isEmpty && !empty) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-6 z-10 flex justify-center px-4 max-sm:bottom-3">
      <div
        role="toolbar"
        aria-label="Selection"
        data-selection-bar=""
        className="rise pointer-events-auto flex h-12 max-w-full items-center gap-1 rounded-card bg-raised pr-1.5 pl-4 text-sm shadow-pop max-sm:h-auto max-sm:min-h-14 max-sm:flex-wrap max-sm:justify-end max-sm:gap-0 max-sm:py-1.5 max-sm:[&_button]:px-2!"
      >
        <p role="status" className="num mr-2 shrink-0 font-medium max-sm:mr-auto">
          {isEmpty ? empty : label}
        </p>
        {!isEmpty && children}
        <span className="mx-1 h-5 w-px bg-line2 max-sm:hidden" />
        <IconButton label={clearLabel} shortcut="Esc" icon={<CloseIcon />} onClick={onClear} />
      </div>
    </div>
  )
}
