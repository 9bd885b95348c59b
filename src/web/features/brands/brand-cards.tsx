import type { Membership } from '#web/data/brands.ts'
import { BrandTile } from '#web/ui/brand-tile.tsx'
import { Button } from '#web/ui/button.tsx'

interface BrandCardsProps {
  memberships: readonly Membership[]
  onOpen: (brandId: string) => void
  /** The brand that is being opened. */
  opening: string | null
}

/** 'Select a Brand': name, role, 'Open Dashboard'; the first has the focus and is the filled one. */
export function BrandCards({ memberships, onOpen, opening }: BrandCardsProps) {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      {memberships.map((membership, index) => (
        <li
          key={membership.brandId}
          className="flex flex-col gap-5 rounded-dialog bg-surface p-5 shadow-card transition-shadow duration-[80ms] focus-within:shadow-pop hover:shadow-pop"
        >
          <div className="flex items-center gap-3.5">
            <BrandTile name={membership.name} size={44} />
            <div className="min-w-0">
              <h2 id={`brand-${membership.brandId}`} title={membership.name} className="truncate text-lg/6">
                {membership.name}
              </h2>
              <p className="text-sm/5 text-ink2">{capitalised(membership.role)}</p>
            </div>
          </div>
          <Button
            size="form"
            variant={index === 0 ? 'primary' : 'default'}
            pending={opening === membership.brandId}
            autoFocus={index === 0}
            aria-describedby={`brand-${membership.brandId}`}
            onClick={() => onOpen(membership.brandId)}
          >
            Open Dashboard
          </Button>
        </li>
      ))}
    </ul>
  )
}

function capitalised(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}
