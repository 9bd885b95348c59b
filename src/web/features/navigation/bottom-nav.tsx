import { Link, useLocation } from '@tanstack/react-router'
import { navItems } from './nav-items.tsx'

/** The navigation at the bottom of a phone; Settings is in the avatar's menu. */
export function BottomNav() {
  const { pathname } = useLocation()
  return (
    <nav
      aria-label="Pages"
      className="grid grid-cols-5 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {navItems.slice(0, 5).map(({ to, label, icon, also }) => (
        <Link
          key={to}
          to={to}
          {...(also === pathname ? { 'aria-current': 'page' } : {})}
          className="flex h-14 flex-col items-center justify-center gap-1 text-xs font-medium text-ink2 outline-offset-[-2px] aria-[current=page]:text-accent-text [&_svg]:size-5.5"
        >
          {icon}
          {label}
        </Link>
      ))}
    </nav>
  )
}
