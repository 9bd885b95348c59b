import { useEffect, useId, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'

/**
 * State of a combobox's list. The focus stays in the field, which names the active option by `aria-activedescendant`. `at` is the index of
 * the active option, or -1. Spread the returned props into field, list and options.
 */
export function useActiveOption(open: boolean, count: number) {
  const id = useId()
  const [{ index, pointed }, setActive] = useState({ index: -1, pointed: false })
  const at = Math.min(index, count - 1)
  const activeId = open && at >= 0 ? `${id}-${at}` : undefined
  useEffect(() => {
    // An option under the pointer is already visible, and scrolling would put another option under the pointer.
    if (activeId && !pointed) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, pointed])
  return {
    at,
    /** True if the option is active because the pointer moved over it. */
    pointed,
    /** Makes the option with this index active. */
    lead: (to: number) => setActive({ index: to, pointed: false }),
    field: { 'aria-expanded': open, 'aria-controls': open ? id : undefined, 'aria-activedescendant': activeId },
    list: { id, role: 'listbox' },
    option: (optionIndex: number, choose: () => void) => ({
      id: `${id}-${optionIndex}`,
      role: 'option',
      className: cx(
        'flex h-8 items-center gap-2.5 rounded-control px-2.5 select-none max-sm:h-12',
        optionIndex === at && 'bg-hover dark:bg-active',
      ),
      onPointerMove: () => optionIndex !== at && setActive({ index: optionIndex, pointed: true }),
      // The default of a press would take the focus from the field.
      onPointerDown: (event: { preventDefault: () => void }) => event.preventDefault(),
      onClick: choose,
    }),
  }
}
