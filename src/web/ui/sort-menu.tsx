import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { SortIcon } from './icons.tsx'
import { Menu, MenuItem } from './menu.tsx'
import { useNarrow } from '#web/lib/use-narrow.ts'

export interface SortOption<Sort extends string> {
  value: Sort
  label: string
}

export interface SortMenuProps<Sort extends string> {
  value: Sort
  options: readonly SortOption<Sort>[]
  onChange: (sort: Sort) => void
}

/** The menu that sorts a list without column heads. */
export function SortMenu<Sort extends string>({ value, options, onChange }: SortMenuProps<Sort>) {
  const narrow = useNarrow()
  const label = options.find((option) => option.value === value)?.label ?? ''
  const trigger = narrow ? (
    <IconButton label={`Sort: ${label}`} icon={<SortIcon className="size-5" />} variant="default" tooltip={false} />
  ) : (
    <Button icon={<SortIcon />} aria-label={`Sort: ${label}`}>
      {label}
    </Button>
  )
  return (
    <Menu trigger={trigger} label="Sort" align="start">
      {options.map((option) => (
        <MenuItem key={option.value} checked={option.value === value} onSelect={() => onChange(option.value)}>
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  )
}
