import { lazy, Suspense, useState } from 'react'

const AddCompanyForm = lazy(async () => ({ default: (await import('./add-company-form.tsx')).AddCompanyForm }))

export interface AddCompanyDialogProps {
  open: boolean
  onClose: () => void
  /** The toast's words: 'Company added' on the companies' page, 'Company added successfully!' from the overview (spec section 8). */
  success: string
}

/** The 'Add Company' dialog. Its form is fetched when it is opened the first time, so that no page carries it. */
export function AddCompanyDialog(props: AddCompanyDialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <AddCompanyForm {...props} />}</Suspense>
}
