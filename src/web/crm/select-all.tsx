import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

/** The box over a list: selects its rows, or none; it is mixed where some are selected. Lists on the phone have no selection. */
export function SelectAll({ selection, withText = false }: { selection: ListSelection; withText?: boolean }) {
  const box = (
    <Checkbox
      label="Select all"
      checked={selection.box === 'all'}
      mixed={selection.box === 'some'}
      onChange={selection.toggleAll}
    />
  )
  if (!withText) return box
  return (
    <label className="ml-2 flex h-8 items-center gap-2 text-sm text-ink2 select-none max-sm:hidden">
      {box}
      <span className="max-xl:sr-only">Select all</span>
    </label>
  )
}
