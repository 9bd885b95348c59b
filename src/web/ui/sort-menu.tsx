import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { SortIcon } from './icons.tsx'
import { Menu, MenuItem, MenuSeparator } from './menu.tsx'
import { useNarrow } from '#web/lib/use-narrow.ts'

export interface SortOption<Sort extends string> {
  value: Sort
  label: string
}

export interface SortMenuProps<Sort extends string> {
  value: Sort
  options: readonly SortOption<Sort>[]
  onChange: (sort: Sort) => void
  /** True if the chosen order is reversed. */
  descending?: boolean
  /** Reverses the chosen order. Undefined if the order has only one direction. */
  onTurn?: (() => void) | undefined
}

/** The menu that sorts a list which has no column heads. */
export function SortMenu<Sort extends string>(props: SortMenuProps<Sort>) {
  const { value, options, onChange, descending = false, onTurn } = props
  const isNarrow = useNarrow()
  const chosen = options.find((option) => option.value === value)?.label ?? ''
  const label = descending ? `${chosen}, descending` : chosen
  const trigger = isNarrow ? (
    <IconButton label={`Sort: ${label}`} icon={<SortIcon className="size-5" />} variant="default" tooltip={false} />
  ) : (
    <Button icon={<SortIcon />} aria-label={`Sort: ${label}`}>
      <span className="max-w-48 truncate">{label}</span>
    </Button>
  )
  return (
    <Menu trigger={trigger} label="Sort" align="start">
      {options.map((option) => (
        <MenuItem key={option.value} checked={option.value === value} onSelect={() => onChange(option.value)}>
          {option.label}
        </MenuItem>
      ))}
      {onTurn && <MenuSeparator />}
      {onTurn && <MenuItem onSelect={onTurn}>{descending ? 'Ascending' : 'Descending'}</MenuItem>}
    </Menu>
  )
}
