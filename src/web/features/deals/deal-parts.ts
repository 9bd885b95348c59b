import type { DealPart } from '#web/data/deal-contacts.ts'
import type { SelectOption } from '#web/ui/select.tsx'

/** The parts that a further contact can have in a deal. */
export const dealParts: readonly SelectOption<DealPart>[] = [
  { value: 'decides', label: 'Decides' },
  { value: 'pays', label: 'Pays' },
  { value: 'uses', label: 'Uses' },
]

/** Returns the label of a part. */
export function partLabel(part: DealPart): string {
  return dealParts.find(({ value }) => value === part)?.label ?? part
}
