import { cx } from '#web/lib/class-names.ts'
import { CloseIcon } from '#web/ui/icons.tsx'
import { useFacets } from './facets.tsx'
import type { FilterProps } from './list-filters.ts'

/** What a list is filtered by, each with a cross; the focus goes on to the next one, or to the page. */
export function FilterChips({ table, filters, onChange, className }: FilterProps & { className?: string }) {
  const set = useFacets(table).flatMap(({ key, label, options }) =>
    options.filter(({ value }) => filters[key]?.includes(value)).map((option) => ({ key, facet: label, ...option })),
  )
  if (set.length === 0) return null
  return (
    <ul aria-label="Filters" className={cx('flex flex-wrap gap-1.5', className)}>
      {set.map(({ key, facet, value, label, icon }) => (
        <li key={`${key} ${value}`} className="min-w-0">
          <button
            type="button"
            aria-label={`${facet}: ${label}. Remove this filter`}
            onClick={({ currentTarget }) => {
              const chip = currentTarget.closest('li')
              const next = chip?.nextElementSibling ?? chip?.previousElementSibling
              ;(next?.querySelector('button') ?? document.getElementById('main'))?.focus()
              onChange({ ...filters, [key]: (filters[key] ?? []).filter((each) => each !== value) })
            }}
            className="flex h-7 max-w-60 items-center gap-2 rounded-control bg-accent-soft px-2.5 text-sm text-accent-text ring-1 ring-accent ring-inset hover:bg-hover max-sm:h-11 max-sm:px-3.5"
          >
            {icon}
            <span className="truncate">{label}</span>
            <CloseIcon className="-mr-0.5 size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  )
}
