import type { ReactNode } from 'react'

/** The head of a page: its title, a hint below it, and actions on the right. */
export function PageHeader({ title, hint, actions }: { title: string; hint?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-xl">{title}</h1>
        {hint && <p className="text-sm text-ink2">{hint}</p>}
      </div>
      {actions && <div className="flex grow flex-wrap items-center justify-end gap-2">{actions}</div>}
    </header>
  )
}
