import { lazyFormDialog } from '#web/ui/lazy-dialog.tsx'

export const AddCompanyDialog = lazyFormDialog(async () => (await import('./add-company-form.tsx')).AddCompanyForm)
