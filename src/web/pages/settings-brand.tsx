import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { DeleteBrand } from '#web/features/brands/delete-brand.tsx'
import { RenameBrand } from '#web/features/brands/rename-brand.tsx'
import { AuditLog } from '#web/features/members/audit-log.tsx'
import { HandOverBrand } from '#web/features/members/hand-over-brand.tsx'
import { LeaveBrand } from '#web/features/members/leave-brand.tsx'
import { Card } from '#web/ui/card.tsx'

/**
 * The tab Brand of /crm/settings: rename, hand over, leave or delete the brand; for owners also its audit log. `onGone` is called when the person has
 * left or deleted the brand.
 */
export function BrandTab({ onGone }: { onGone: () => void }) {
  const { brand } = useActiveBrand()
  if (!brand) return null
  const isOwner = brand.role === 'owner'
  return (
    <div className="grid max-w-190 gap-4">
      <Card aria-label="Brand" className="p-6 max-sm:p-4">
        <h2 className="mb-4 text-lg">Brand</h2>
        <RenameBrand key={brand.id} brand={brand} />
      </Card>
      <Card aria-label="Ownership" className="p-6 max-sm:p-4">
        <h2 className="text-lg">Ownership</h2>
        {isOwner && <HandOverBrand brand={brand} />}
        <LeaveBrand brand={brand} onLeft={onGone} />
        {isOwner && <DeleteBrand brand={brand} onDeleted={onGone} />}
      </Card>
      {isOwner && <AuditLog />}
    </div>
  )
}
