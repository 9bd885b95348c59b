import { Link } from '#web/ui/link.tsx'
import type { NavItem } from './nav-item.ts'
import { useLastListSearch } from './use-last-list-search.ts'

/** The navigation at the bottom of a phone. */
export function BottomNav({ items }: { items: readonly NavItem[] }) {
  const lastSearchOf = useLastListSearch()
  return (
    <nav
      aria-label="Pages"
      className="grid auto-cols-fr grid-flow-col border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {items
        .filter(({ isInMenu = false }) => !isInMenu)
        .map(({ to, label, icon, also }) => (
          <Link
            key={to}
            to={to}
            search={lastSearchOf(to)}
            also={also}
            className="flex h-14 flex-col items-center justify-center gap-1 text-xs font-medium text-ink2 outline-offset-[-2px] aria-[current=page]:text-accent-text [&_svg]:size-5.5"
          >
            {icon}
            {label}
          </Link>
        ))}
    </nav>
  )
}
