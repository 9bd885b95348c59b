import type { ClosedBrand } from '#web/data/people/second-factor-requirement.ts'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'

/**
 * Explains that some of the person's brands are closed, because they require a second factor that this session has not proved. Says what to do.
 * `alone`: the person has no other brand.
 */
export function ClosedBrands({ brands, alone }: { brands: readonly ClosedBrand[]; alone: boolean }) {
  const Heading = alone ? 'h1' : 'h2'
  const hasFactor = brands.some(({ has_factor }) => has_factor)
  return (
    <Card aria-label="Second factor needed" className="mb-6 w-full max-w-190 p-6 max-sm:p-4">
      <Heading className="text-lg">Second factor needed</Heading>
      <p className="mt-0.5 text-sm text-pretty text-ink2">
        {hasFactor
          ? 'Sign out and sign in again with your second factor to open these brands.'
          : 'The owners of these brands require a second factor. Add one to open them.'}
      </p>
      <ul className="mt-4">
        {brands.map(({ id, name }) => (
          <li key={id} className="flex min-h-11 items-center gap-3 border-t border-line">
            <LetterTile name={name} />
            <span className="min-w-0 truncate font-medium">{name}</span>
          </li>
        ))}
      </ul>
      {!hasFactor && (
        <Link to="/account" className={`mt-3 ${buttonClass('primary', 'form')}`}>
          Add a second factor
        </Link>
      )}
    </Card>
  )
}
