import type { ReactNode } from 'react'

/**
 * A page and a panel. The page keeps its state while a panel is open. In a wide window they are side by side; in narrower windows, the panel
 * lies over the page. `panel` is the route's Outlet, which is empty while no panel is open.
 */
export function PanelBeside({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className="flex h-full min-h-0">
      <div className="relative h-full min-w-0 flex-1 overflow-y-auto">{children}</div>
      {panel}
    </div>
  )
}
