import { lazy, Suspense, useState } from 'react'
import type { NewDealProps } from './new-deal-form.tsx'

const NewDealForm = lazy(async () => ({ default: (await import('./new-deal-form.tsx')).NewDealForm }))

/**
 * The 'New Deal' dialog, for the board and for the overview's 'Create Deal'. The form and what it needs are fetched when
 * it is opened the first time, so that no page carries them.
 */
export function NewDealDialog(props: NewDealProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <NewDealForm {...props} />}</Suspense>
}
