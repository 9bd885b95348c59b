import { useEffect, useId, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'

/**
 * The list of a combobox: the focus stays in its field, which names the active option by `aria-activedescendant`. `at` is the active
 * option, -1 where there is none; what is spread into field, list and options makes them one.
 */
export function useActiveOption(open: boolean, count: number) {
  const id = useId()
  const [{ index, pointed }, setActive] = useState({ index: -1, pointed: false })
  const at = Math.min(index, count - 1)
  const activeId = open && at >= 0 ? `${id}-${at}` : undefined
  useEffect(() => {
    // What the pointer is over is in sight; scrolling would put another option under it.
    if (activeId && !pointed) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId, pointed])
  return {
    at,
    /** It is active because the pointer came over it. */
    pointed,
    lead: (to: number) => setActive({ index: to, pointed: false }),
    field: { 'aria-expanded': open, 'aria-controls': open ? id : undefined, 'aria-activedescendant': activeId },
    list: { id, role: 'listbox' },
    option: (own: number, take: () => void) => ({
      id: `${id}-${own}`,
      role: 'option',
      className: cx(
        'flex h-8 items-center gap-2.5 rounded-control px-2.5 select-none max-sm:h-12',
        own === at && 'bg-hover dark:bg-active',
      ),
      onPointerMove: () => own !== at && setActive({ index: own, pointed: true }),
      // The focus stays in the field.
      onPointerDown: (event: { preventDefault: () => void }) => event.preventDefault(),
      onClick: take,
    }),
  }
}
