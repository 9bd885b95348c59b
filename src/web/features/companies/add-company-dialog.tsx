import { type ComponentProps, lazy, Suspense, useState } from 'react'

const AddCompanyForm = lazy(async () => ({ default: (await import('./add-company-form.tsx')).AddCompanyForm }))

/** The 'Add Company' dialog. Its form is fetched when it is opened the first time, so that no page carries it. */
export function AddCompanyDialog(props: ComponentProps<typeof AddCompanyForm>) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <AddCompanyForm {...props} />}</Suspense>
}
