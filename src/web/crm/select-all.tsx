import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'

/** The checkbox above a list on a desktop: selects all loaded rows or none. It is in the mixed state if some rows are selected. */
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

/** The button above a list on the phone: starts the selection, then selects all loaded rows or none. */
export function SelectOnPhone({ selection }: { selection: ListSelection }) {
  const { picking, box, hasMore } = selection
  const label = !picking ? 'Select' : box === 'all' || hasMore ? 'Select none' : 'Select all'
  return (
    <Button
      variant="quiet"
      onClick={() => (picking ? selection.toggleAll() : selection.pick())}
      className="-my-3 -mr-3 px-3! text-accent-text! sm:hidden"
    >
      {label}
    </Button>
  )
}
