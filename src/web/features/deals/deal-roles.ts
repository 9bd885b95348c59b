import type { DealRole } from '#web/data/deal-contacts.ts'
import type { SelectOption } from '#web/ui/select.tsx'

/** The parts of a further contact in a deal. */
export const dealRoles: readonly SelectOption<DealRole>[] = [
  { value: 'decides', label: 'Decides' },
  { value: 'pays', label: 'Pays' },
  { value: 'uses', label: 'Uses' },
]

/** The word of a part. */
export function roleLabel(role: DealRole): string {
  return dealRoles.find(({ value }) => value === role)?.label ?? role
}
