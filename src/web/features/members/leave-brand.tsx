import { useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SettingRow } from '#web/ui/setting-row.tsx'

const LeaveBrandDialog = lazyDialog(async () => (await import('./leave-brand-dialog.tsx')).LeaveBrandDialog)

/** The setting in which any member ends their own membership. `onLeft`: called after the person has left the brand. */
export function LeaveBrand({ brand, onLeft }: { brand: ActiveBrand; onLeft: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <SettingRow
        title="Leave brand"
        hint="You lose access at once. Your records stay in the brand. The last owner must hand the brand over first."
        action={<Button onClick={() => setAsking(true)}>Leave brand</Button>}
      />
      <LeaveBrandDialog open={asking} brandName={brand.name} onClose={() => setAsking(false)} onLeft={onLeft} />
    </>
  )
}
