import { lazyFormDialog } from '#web/ui/lazy-dialog.tsx'

/** For the board and for the overview's 'Create Deal'. */
export const NewDealDialog = lazyFormDialog(async () => (await import('./new-deal-form.tsx')).NewDealForm)
