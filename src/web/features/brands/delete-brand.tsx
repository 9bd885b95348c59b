import { useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SettingRow } from '#web/ui/setting-row.tsx'

const DeleteBrandDialog = lazyDialog(async () => (await import('./delete-brand-dialog.tsx')).DeleteBrandDialog)

/** The setting in which owners delete the brand with all its records. `onDeleted`: called after the brand was deleted. */
export function DeleteBrand({ brand, onDeleted }: { brand: ActiveBrand; onDeleted: () => void }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <>
      <SettingRow
        title="Delete brand"
        hint="All its deals, contacts, companies and tasks are deleted, for every member. This cannot be undone."
        action={
          <Button className="text-danger!" onClick={() => setDialogOpen(true)}>
            Delete brand
          </Button>
        }
      />
      <DeleteBrandDialog open={isDialogOpen} brand={brand} onClose={() => setDialogOpen(false)} onDeleted={onDeleted} />
    </>
  )
}
