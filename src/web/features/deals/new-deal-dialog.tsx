import { lazyFormDialog } from '#web/ui/lazy-dialog.tsx'

/** The dialog of the board, and of 'Create Deal' on the overview. */
export const NewDealDialog = lazyFormDialog(async () => (await import('./new-deal-form.tsx')).NewDealForm)
