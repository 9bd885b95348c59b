import type { ReactNode } from 'react'
import { CloudOffIcon } from './icons.tsx'

/** Says that an action needs a connection, before the person tries the action. Shows nothing while there is a connection. */
export function NeedsConnection({ offline, children }: { offline: boolean; children: ReactNode }) {
  return (
    <div role="status">
      {offline && (
        <p className="mt-4 flex items-start gap-2.5 rounded-control bg-warn-soft px-3.5 py-2.5 text-sm text-warn">
          <CloudOffIcon className="mt-0.5 shrink-0" />
          <span>You are offline. {children}</span>
        </p>
      )}
    </div>
  )
}
