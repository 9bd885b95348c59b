import { useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SettingRow } from '#web/ui/setting-row.tsx'

const HandOverDialog = lazyDialog(async () => (await import('./hand-over-dialog.tsx')).HandOverDialog)

/** The setting by which an owner hands the brand over: another member becomes an owner, and the person who hands it over becomes an admin. */
export function HandOverBrand({ brand }: { brand: ActiveBrand }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <>
      <SettingRow
        title="Hand over brand"
        hint="Another member becomes the owner, and you an admin."
        action={<Button onClick={() => setDialogOpen(true)}>Hand over</Button>}
      />
      <HandOverDialog open={isDialogOpen} brandName={brand.name} onClose={() => setDialogOpen(false)} />
    </>
  )
}
