import type { ReactNode } from 'react'
import { PlusIcon } from '#web/ui/icons.tsx'

export interface QuickAction {
  label: string
  icon: ReactNode
  run: () => void
}

/** 'Quick Actions': large buttons that open dialogs. */
export function QuickActions({ actions }: { actions: readonly QuickAction[] }) {
  return (
    <section aria-labelledby="quick-actions">
      <h2 id="quick-actions" className="mb-3 text-14/5">
        Quick Actions
      </h2>
      <div className="grid grid-cols-4 gap-3 max-lg:grid-cols-2">
        {actions.map(({ label, icon, run }) => (
          <button
            key={label}
            type="button"
            onClick={run}
            className="flex h-12 min-w-0 items-center gap-3 rounded-card bg-surface px-4 text-left font-medium shadow-card transition-[background-color] duration-[80ms] hover:bg-hover active:bg-active max-sm:h-14 max-sm:text-15"
          >
            <span className="shrink-0 text-accent-text">{icon}</span>
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <PlusIcon className="shrink-0 text-ink3 max-sm:hidden" />
          </button>
        ))}
      </div>
    </section>
  )
}
