import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useBrandForm } from './create-brand-form.tsx'

interface NewBrandDialogProps {
  open: boolean
  onClose: () => void
  onCreated: (brandId: string) => void
}

/** The dialog that creates another brand, opened from the header's menu or /select-brand. */
export function NewBrandDialog({ open, onClose, onCreated }: NewBrandDialogProps) {
  const form = useBrandForm(onCreated)
  const close = () => {
    form.clear()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="New brand"
      width="small"
      pending={form.pending}
      onSubmit={form.submit}
      footer={
        <>
          <Button size="form" onClick={close} disabled={form.pending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" size="form" pending={form.pending}>
            Create Brand
          </Button>
        </>
      }
    >
      {form.field}
    </Dialog>
  )
}
