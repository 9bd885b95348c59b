import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { cx } from '#web/lib/class-names.ts'

export interface TabsProps<Value extends string> {
  /** The accessible name of the group of tabs. */
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; label: ReactNode }[]
  /** The prefix of the ids of the tabs and of the panel. The TabPanel must have the same `id`. */
  id: string
  className?: string
}

/** A group of tabs, shown as segments of one bar. All segments have the same width. */
export function Segments<Value extends string>(props: TabsProps<Value>) {
  return (
    <TabList
      {...props}
      list="grid auto-cols-fr grid-flow-col rounded-[10px] bg-active p-[3px] dark:bg-sunken"
      tab="h-7.5 rounded-[7px] text-ink2 hover:text-ink aria-selected:bg-surface aria-selected:text-ink aria-selected:shadow-card dark:aria-selected:bg-active max-sm:h-11"
    />
  )
}

/** The content of the chosen tab. */
export function TabPanel({
  id,
  value,
  tabIndex,
  children,
  className,
}: {
  id: string
  value: string
  /** 0 if the panel begins with text to read. Then Tab stops at the panel itself. */
  tabIndex?: 0
  children: ReactNode
  className?: string
}) {
  return (
    <div
      role="tabpanel"
      id={`${id}-panel`}
      aria-labelledby={`${id}-${value}`}
      tabIndex={tabIndex}
      className={className}
    >
      {children}
    </div>
  )
}

/** The tabs of `Segments` and `WordTabs`. `list` and `tab`: the CSS classes of the group and of each tab. */
export function TabList<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  id,
  className,
  list,
  tab,
  ref,
}: TabsProps<Value> & { list: string; tab: string; ref?: Ref<HTMLDivElement> }) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    // With Ctrl, Alt or ⌘, these keys are shortcuts of the browser, such as Alt with arrow left for 'Back'.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const at = tabs.findIndex((each) => each.value === value)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    event.currentTarget.querySelector<HTMLElement>(`[id="${id}-${next.value}"]`)?.focus()
  }
  return (
    <div ref={ref} role="tablist" aria-label={label} className={cx(list, className)} onKeyDown={move}>
      {tabs.map((each) => (
        <button
          key={each.value}
          type="button"
          role="tab"
          id={`${id}-${each.value}`}
          aria-controls={`${id}-panel`}
          aria-selected={each.value === value}
          tabIndex={each.value === value ? 0 : -1}
          className={cx('px-1 text-sm font-medium transition-colors duration-[80ms] select-none', tab)}
          onClick={() => onChange(each.value)}
        >
          {each.label}
        </button>
      ))}
    </div>
  )
}
