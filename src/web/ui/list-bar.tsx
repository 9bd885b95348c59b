import { SearchInput } from './search-input.tsx'

export interface ListBarProps {
  search: string
  onSearch: (search: string) => void
  /** The field's placeholder and name: 'Search contacts...'. */
  label: string
  pending?: boolean
  /** '1,284 contacts'; null while it is not known. */
  count: string | null
}

/** Over a list: the search, and at the right how many there are. The count is spoken when it changes. */
export function ListBar({ search, onSearch, label, pending, count }: ListBarProps) {
  return (
    <div className="flex items-center gap-4">
      <SearchInput
        value={search}
        onChange={onSearch}
        label={label}
        pending={pending}
        className="w-70 max-sm:w-auto max-sm:flex-1"
      />
      <p role="status" className="num ml-auto shrink-0 text-sm text-ink3">
        {count}
      </p>
    </div>
  )
}
