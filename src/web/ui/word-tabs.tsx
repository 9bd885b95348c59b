import { useLayoutEffect, useRef } from 'react'
import { TabList, type TabsProps } from './tabs.tsx'

/**
 * A group of tabs, shown as words over a line. On a narrow screen they scroll sideways, and the chosen tab is visible. Arrow keys, Home and
 * End choose a tab, as in the ARIA Authoring Practices.
 */
export function WordTabs<Value extends string>(props: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null)
  const { id, value } = props
  useLayoutEffect(() => {
    const bar = list.current
    const chosen = bar?.querySelector<HTMLElement>(`[id="${id}-${value}"]`)
    if (bar && chosen) bar.scrollLeft = chosen.offsetLeft - bar.offsetLeft - (bar.clientWidth - chosen.offsetWidth) / 2
  }, [id, value])
  return (
    <TabList
      {...props}
      ref={list}
      list="flex gap-6 overflow-x-auto border-b border-line max-sm:gap-3"
      tab="h-9 shrink-0 border-b-2 outline-offset-[-2px] border-transparent text-ink2 hover:text-ink aria-selected:border-accent aria-selected:text-ink max-sm:h-11"
    />
  )
}
