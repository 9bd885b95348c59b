import type { ReactNode } from 'react'
import { customWords } from '#web/data/changes/custom-words.ts'
import { useAllCustomFields, useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { useTags } from '#web/data/tags.ts'
import { TagDot } from './tag-chip.tsx'

/** A property by which the records of a list can be filtered. */
export interface Facet {
  /** The key of the facet in `Filters`. */
  key: string
  /** The name of the facet: 'Tags'. */
  label: string
  options: readonly { value: string; label: string; icon?: ReactNode; isRetired?: boolean | undefined }[]
  /** The custom field, if the person chooses a range of its values instead of options. The chosen value is then 'from..to'. */
  range?: CustomField
}

/**
 * Returns a list with the facet of a custom field: its options, yes and no, or a range of values. The list is empty for a field that has no
 * facet, such as a text.
 */
function facetsOf(field: CustomField): Facet[] {
  const { id, label, type, options } = field
  if (rangeTypes.includes(type)) return [{ key: `to.${id}`, label, options: [], range: field }]
  if (type === 'yes_no') return [{ key: `is.${id}`, label, options: yesOrNo }]
  if (type !== 'choice' && type !== 'choices') return []
  const fieldOptions = options.map((option) => ({ value: option.id, label: option.label, isRetired: option.retired }))
  return [{ key: `${type === 'choice' ? 'one' : 'has'}.${id}`, label, options: fieldOptions }]
}

const rangeTypes: readonly CustomField['type'][] = ['number', 'money', 'date']

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** Returns the facets of a table that a person can choose. Leaves out retired options, and facets that have no value to choose. */
export function useFacets(table: OwnedTable): Facet[] {
  const tagFacet = useTagFacet()
  const facets = [tagFacet, ...useCustomFields(table).flatMap(facetsOf)]
  return facets
    .map((facet) => ({ ...facet, options: facet.options.filter(({ isRetired }) => !isRetired) }))
    .filter(({ options, range }) => options.length > 0 || range)
}

/** Returns all facets of a table, with retired fields and options: a URL may still filter by them. */
export function useAllFacets(table: OwnedTable): Facet[] {
  const tagFacet = useTagFacet()
  return [tagFacet, ...useAllCustomFields(table).flatMap(facetsOf)]
}

function useTagFacet(): Facet {
  const options = useTags().tags.map(({ id, name, color }) => ({
    value: id,
    label: name,
    icon: <TagDot color={color} />,
  }))
  return { key: 'tags', label: 'Tags', options }
}

/** Returns the two bounds of a chosen range, as the URL contains them. A bound that is not set is ''. */
export function boundsOf(chosen: readonly string[] = []): [from: string, to: string] {
  const [from = '', to = ''] = (chosen[0] ?? '').split('..')
  return [from, to]
}

/** Describes a chosen range: '€100 – €200', 'from €100', 'up to 7 Dec'. Null if it has no bounds. */
export function describeRange(field: CustomField, chosen: readonly string[] | undefined): string | null {
  const [from, to] = boundsOf(chosen).map(
    (bound) => bound && customWords(field, field.type === 'date' ? bound : Number(bound)),
  )
  if (from && to) return `${from} – ${to}`
  return from ? `from ${from}` : to ? `up to ${to}` : null
}
