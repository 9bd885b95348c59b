import { lazy, Suspense, useState } from 'react'

const NewDealForm = lazy(async () => ({ default: (await import('./new-deal-form.tsx')).NewDealForm }))

/**
 * The 'New Deal' dialog, for the board and for the overview's 'Create Deal'. The form and what it needs are fetched when
 * it is opened the first time, so that no page carries them.
 */
export function NewDealDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <NewDealForm open={open} onClose={onClose} />}</Suspense>
}
