import type { ReactNode } from 'react'

/**
 * A page and a panel side by side. The page keeps its state and stays usable; it only becomes narrower. `panel` is the route's Outlet,
 * which is empty while no panel is open.
 */
export function PanelBeside({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className="flex h-full min-h-0">
      <div className="relative h-full min-w-0 flex-1 overflow-y-auto">{children}</div>
      {panel}
    </div>
  )
}
