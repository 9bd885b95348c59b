import type { Membership } from '#web/data/people/membership.ts'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { Button } from '#web/ui/button.tsx'

interface BrandCardsProps {
  memberships: readonly Membership[]
  onOpen: (membership: Membership) => void
  /** Leaves a brand that the person was added to and has not opened. */
  onLeave: (membership: Membership) => void
  /** The id of the brand that is being opened, or null. */
  opening: string | null
}

/**
 * The cards of 'Select a Brand': name, role, 'Open Dashboard'. The first brand that the person has opened before (if they have opened none,
 * the first one) gets the focus and the primary button. A brand that they have not opened yet shows who added them, and has 'Leave'.
 */
export function BrandCards({ memberships, onOpen, onLeave, opening }: BrandCardsProps) {
  // A brand that the person has not opened yet gets the focus only if there is no other, because Enter would open it.
  const firstOpenedIndex = memberships.findIndex(({ added }) => !added)
  const firstIndex = firstOpenedIndex === -1 ? 0 : firstOpenedIndex
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      {memberships.map((membership, index) => (
        <li
          key={membership.brandId}
          className="flex flex-col gap-5 rounded-dialog bg-surface p-5 shadow-card transition-shadow duration-[80ms] focus-within:shadow-pop hover:shadow-pop"
        >
          <div className="flex items-start gap-3.5">
            <LetterTile name={membership.name} size={44} />
            <div className="min-w-0">
              <h2 id={`brand-${membership.brandId}`} title={membership.name} className="truncate text-lg/6">
                {membership.name}
              </h2>
              <p className="text-sm/5 text-ink2">{capitalised(membership.role)}</p>
              {membership.added && (
                <p className="text-sm/5 wrap-anywhere text-ink2">Added by {membership.added.by ?? 'a former member'}</p>
              )}
            </div>
          </div>
          <div className="mt-auto flex gap-2">
            <Button
              size="form"
              variant={index === firstIndex ? 'primary' : 'default'}
              className="min-w-0 flex-1"
              pending={opening === membership.brandId}
              autoFocus={index === firstIndex}
              aria-describedby={`brand-${membership.brandId}`}
              onClick={() => onOpen(membership)}
            >
              Open Dashboard
            </Button>
            {membership.added && (
              <Button size="form" aria-describedby={`brand-${membership.brandId}`} onClick={() => onLeave(membership)}>
                Leave
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function capitalised(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}
