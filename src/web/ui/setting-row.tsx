import type { ReactNode } from 'react'

/**
 * A setting: its title, a short text about it, and its button or switch on the right. On the phone a button is below the text; a switch stays on the
 * right.
 */
export function SettingRow({ title, hint, action }: { title: string; hint: ReactNode; action: ReactNode }) {
  return (
    <div className="flex items-center gap-6 border-b border-line py-4 last:border-0 last:pb-0 max-sm:not-has-[[role=switch]]:flex-col max-sm:not-has-[[role=switch]]:items-stretch max-sm:gap-3">
      <div className="min-w-0 flex-1">
        <h3 className="text-14/5">{title}</h3>
        <p className="mt-0.5 text-sm text-pretty text-ink2">{hint}</p>
      </div>
      {action}
    </div>
  )
}
