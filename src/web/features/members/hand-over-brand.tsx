import { useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SettingRow } from '#web/ui/setting-row.tsx'

const HandOverDialog = lazyDialog(async () => (await import('./hand-over-dialog.tsx')).HandOverDialog)

/** The setting in which an owner makes another member the owner and becomes an admin. */
export function HandOverBrand({ brand }: { brand: ActiveBrand }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <SettingRow
        title="Hand over brand"
        hint="Another member becomes the owner, and you an admin."
        action={<Button onClick={() => setAsking(true)}>Hand over</Button>}
      />
      <HandOverDialog open={asking} brandName={brand.name} onClose={() => setAsking(false)} />
    </>
  )
}
