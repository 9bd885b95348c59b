import type { ReactNode } from 'react'
import { useUndoKeys } from '#web/crm/use-undo-keys.ts'
import { InstallCard } from '#web/features/install/install-card.tsx'

/** What a page needs only after its first seconds: the keys of undoing, and the install prompt at the foot of the sidebar. */
export function IdleParts(): ReactNode {
  useUndoKeys()
  return <InstallCard />
}
