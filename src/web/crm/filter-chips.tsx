import { cx } from '#web/lib/class-names.ts'
import { CloseIcon } from '#web/ui/icons.tsx'
import { type Facet, describeRange, useAllFacets } from './facets.tsx'
import type { Filters, FilterProps } from './list-filters.ts'

/**
 * The chosen filters of a list, also those by a field or an option that was retired meanwhile. Each has a cross that removes it. After a removal, the
 * focus goes to the next or the previous filter, or to the page.
 */
export function FilterChips({ table, filters, onChange, className }: FilterProps & { className?: string }) {
  const chips = useAllFacets(table).flatMap((facet) => chosenValues(facet, filters))
  if (chips.length === 0) return null
  return (
    <ul aria-label="Filters" className={cx('flex flex-wrap gap-1.5', className)}>
      {chips.map(({ key, facet, value, label, icon, isRange }) => (
        <li key={`${key} ${value}`} className="min-w-0">
          <button
            type="button"
            aria-label={`${facet}: ${label}. Remove this filter`}
            onClick={({ currentTarget }) => {
              const chip = currentTarget.closest('li')
              const next = chip?.nextElementSibling ?? chip?.previousElementSibling
              ;(next?.querySelector('button') ?? document.getElementById('main'))?.focus()
              onChange((old) => ({ ...old, [key]: (old[key] ?? []).filter((each) => each !== value) }))
            }}
            className="flex h-7 max-w-60 items-center gap-2 rounded-control bg-accent-soft px-2.5 text-sm text-accent-text ring-1 ring-accent ring-inset hover:bg-hover max-sm:h-11 max-sm:px-3.5"
          >
            {icon}
            {/* A tag has a dot of its colour. Other values are not understood without the name of the field: 'Yes'. */}
            {icon === undefined && (
              <span className="-mr-1 min-w-8 truncate">
                {facet}
                {!isRange && ':'}{' '}
              </span>
            )}
            <span className={cx('truncate', icon === undefined && 'max-w-36 shrink-0')}>{label}</span>
            <CloseIcon className="-mr-0.5 size-3.5 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function chosenValues({ key, label: facet, options, range }: Facet, filters: Filters) {
  const chosen = filters[key] ?? []
  const rangeText = range && describeRange(range, chosen)
  const ranges = rangeText ? [{ value: chosen[0] ?? '', label: rangeText, icon: undefined }] : []
  const chosenOptions = [...ranges, ...options.filter(({ value }) => chosen.includes(value))]
  return chosenOptions.map(({ value, label, icon }) => ({
    key,
    facet,
    value,
    label,
    icon,
    isRange: range !== undefined,
  }))
}
