import type { ReactNode } from 'react'
import type { Where } from '#web/data/query/list-options.ts'
import type { Condition } from '#web/data/query/query.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import type { ListSearch } from '#web/lib/list-search.ts'

/** The filters of a list: the chosen values of each facet. In each facet, a record must match one of the chosen values. */
export type Filters = Readonly<Record<string, readonly string[]>>

/** Changes the filters. `change` gets the filters that are in the URL now, which may be newer than the rendered ones. */
export type ChangeFilters = (change: (filters: Filters) => Filters) => void

export interface FilterProps {
  table: OwnedTable
  filters: Filters
  onChange: ChangeFilters
  /** Actions for the listed records, which are shown below the facets. */
  children?: ReactNode
}

/**
 * The functions that turn the chosen values of a facet into the condition on its custom field, by the kind of the facet. The key of a facet
 * is its kind, a full stop and the id of its field.
 */
const conditionByKind: Readonly<Record<string, (values: readonly string[]) => Condition>> = {
  is: (values) => values.map((value) => value === 'true'),
  one: (values) => values,
  has: (values) => ({ has: values }),
  to: ([range = '']) => {
    const [gte = '', lte = ''] = range.split('..').map(parseBound)
    return { ...(gte !== '' && { gte }), ...(lte !== '' && { lte }) }
  },
}

/** Returns a bound as a number if it is a finite number. Otherwise (a day, or no bound) returns the text unchanged. */
function parseBound(text: string): string | number {
  return text && Number.isFinite(+text) ? +text : text
}

/** Reads the filters from the parameters of a list's URL. */
export function filtersIn({ tags, fields }: ListSearch): Filters {
  return { ...(tags && { tags: tags.split(',') }), ...(fields && customFilters(fields)) }
}

/**
 * Reads the filters by custom fields from a URL parameter, in which ';' separates them: 'one.<id>:a,b' (the value is one of these options),
 * 'has.<id>:a,b' (the value contains one of these options), 'is.<id>:true', 'to.<id>:100..200' (a range).
 */
function customFilters(text: string): Filters {
  return Object.fromEntries(
    text.split(';').flatMap((part) => {
      const [key = '', values = ''] = part.split(':')
      const isFacet = conditionByKind[key.split('.')[0] ?? ''] && values
      return isFacet ? [[key, values.split(',').map(decodePart)]] : []
    }),
  )
}

/** Returns the parameters of a list's URL that set these filters and remove all other filters. */
export function filterSearch({ tags = [], ...custom }: Filters): ListSearch {
  const fields = Object.entries(custom)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => `${key}:${values.map(encodeURIComponent).join(',')}`)
  return {
    tags: tags.length > 0 ? tags.join(',') : undefined,
    fields: fields.length > 0 ? fields.join(';') : undefined,
  }
}

/** Returns the conditions that records must meet to match these filters. Undefined if there are no filters. */
export function filterConditions({ tags = [], ...custom }: Filters): Where | undefined {
  const fieldConditions = Object.entries(custom).flatMap(([key, values]) => {
    const [kind = '', id = ''] = key.split('.')
    const conditionOf = conditionByKind[kind]
    return conditionOf && values.length > 0 ? [[customPath(id), conditionOf(values)] as const] : []
  })
  const where = { ...(tags.length > 0 && { tag_ids: { has: tags } }), ...Object.fromEntries(fieldConditions) }
  return Object.keys(where).length > 0 ? where : undefined
}

/** Decodes a part of a URL. If it is not encoded correctly, returns it unchanged. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
