import { lazyFormDialog } from '#web/ui/lazy-dialog.tsx'
import type { NewDealProps } from './new-deal-form.tsx'

const LazyNewDeal = lazyFormDialog(async () => (await import('./new-deal-form.tsx')).NewDealForm)

/** The form for a new deal. It is reset for another contact or company. */
export function NewDealDialog(props: NewDealProps) {
  const { contact, company } = props.preset ?? {}
  return <LazyNewDeal key={`${contact?.id} ${company?.id}`} {...props} />
}
