import { lazy, Suspense, useState } from 'react'

const AddContactForm = lazy(async () => ({ default: (await import('./add-contact-form.tsx')).AddContactForm }))

/** The 'Add Contact' dialog. Its form is fetched when it is opened the first time, so that no page carries it. */
export function AddContactDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <AddContactForm open={open} onClose={onClose} />}</Suspense>
}
