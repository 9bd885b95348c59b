import { lazyFormDialog } from '#web/ui/lazy-dialog.tsx'

export const AddContactDialog = lazyFormDialog(async () => (await import('./add-contact-form.tsx')).AddContactForm)
