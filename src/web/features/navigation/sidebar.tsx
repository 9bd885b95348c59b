import type { ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import type { NavItem } from './nav-item.ts'
import { useLastListSearch } from './use-last-list-search.ts'

/** The navigation at the left on a desktop. `foot` is shown at its bottom. */
export function Sidebar({ items, foot }: { items: readonly NavItem[]; foot?: ReactNode }) {
  const lastSearchOf = useLastListSearch()
  return (
    <nav aria-label="Pages" className="flex w-52 flex-col gap-0.5 border-r border-line p-3 max-sm:hidden">
      {items.map(({ to, label, icon, also }) => (
        <Link
          key={to}
          to={to}
          search={lastSearchOf(to)}
          also={also}
          className="flex h-8 items-center gap-2.5 rounded-control px-2.5 text-sm font-medium text-ink2 transition-[background-color,color] duration-[80ms] hover:bg-hover hover:text-ink aria-[current=page]:bg-active aria-[current=page]:text-ink aria-[current=page]:[&_svg]:text-accent-text [&_svg]:text-ink3"
        >
          {icon}
          {label}
        </Link>
      ))}
      {foot && <div className="mt-auto">{foot}</div>}
    </nav>
  )
}
