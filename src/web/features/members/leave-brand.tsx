import { useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SettingRow } from '#web/ui/setting-row.tsx'

const LeaveBrandDialog = lazyDialog(async () => (await import('./leave-brand-dialog.tsx')).LeaveBrandDialog)

/** The setting in which any member ends their own membership. `onLeft`: called after the person has left the brand. */
export function LeaveBrand({ brand, onLeft }: { brand: ActiveBrand; onLeft: () => void }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <>
      <SettingRow
        title="Leave brand"
        hint="You lose access at once. Your records stay in the brand. The last owner must hand the brand over first."
        action={<Button onClick={() => setDialogOpen(true)}>Leave brand</Button>}
      />
      <LeaveBrandDialog
        open={isDialogOpen}
        brandName={brand.name}
        onClose={() => setDialogOpen(false)}
        onLeft={onLeft}
      />
    </>
  )
}
