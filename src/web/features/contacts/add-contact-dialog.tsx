import { lazy, Suspense, useState } from 'react'
import type { AddContactProps } from './add-contact-form.tsx'

const AddContactForm = lazy(async () => ({ default: (await import('./add-contact-form.tsx')).AddContactForm }))

/** The 'Add Contact' dialog. Its form is fetched when it is opened the first time, so that no page carries it. */
export function AddContactDialog(props: AddContactProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <AddContactForm {...props} />}</Suspense>
}
