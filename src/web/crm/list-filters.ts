import type { ReactNode } from 'react'
import type { Where } from '#web/data/query/list-options.ts'
import type { Condition } from '#web/data/query/query.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import type { ListSearch } from '#web/lib/list-search.ts'

/** What a list is filtered by: the chosen values of each facet. A record has to have one of them in each facet. */
export type Filters = Readonly<Record<string, readonly string[]>>

/** Changes what the address says now: it may have changed since the page was rendered. */
export type ChangeFilters = (change: (filters: Filters) => Filters) => void

export interface FilterProps {
  table: OwnedTable
  filters: Filters
  onChange: ChangeFilters
  /** Below the facets: what else is done with the records that are shown. */
  children?: ReactNode
}

/** The kinds of facets of custom fields, and what their chosen values ask of a field. The facet's key is the kind, a point and the field's id. */
const customKinds: Readonly<Record<string, (values: readonly string[]) => Condition>> = {
  is: (values) => values.map((value) => value === 'true'),
  one: (values) => values,
  has: (values) => ({ has: values }),
  to: ([range = '']) => {
    const [gte = '', lte = ''] = range.split('..').map(readBound)
    return { ...(gte !== '' && { gte }), ...(lte !== '' && { lte }) }
  },
}

/** A number where it is one that JSON has, else a text, such as a day. */
function readBound(text: string): string | number {
  return text && Number.isFinite(+text) ? +text : text
}

/** The filters in a list's address. */
export function filtersIn({ tags, fields }: ListSearch): Filters {
  return { ...(tags && { tags: tags.split(',') }), ...(fields && customFilters(fields)) }
}

/** 'one.<id>:a,b;is.<id>:true;to.<id>:100..200' */
function customFilters(text: string): Filters {
  return Object.fromEntries(
    text.split(';').flatMap((part) => {
      const [key = '', values = ''] = part.split(':')
      const isFacet = customKinds[key.split('.')[0] ?? ''] && values
      return isFacet ? [[key, values.split(',').map(decoded)]] : []
    }),
  )
}

/** The parameters of the address that set these filters, and remove all others. */
export function filterSearch({ tags = [], ...custom }: Filters): ListSearch {
  const fields = Object.entries(custom)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => `${key}:${values.map(encodeURIComponent).join(',')}`)
  return {
    tags: tags.length > 0 ? tags.join(',') : undefined,
    fields: fields.length > 0 ? fields.join(';') : undefined,
  }
}

/** The conditions of filters; undefined where there are none. */
export function filterConditions({ tags = [], ...custom }: Filters): Where | undefined {
  const ofFields = Object.entries(custom).flatMap(([key, values]) => {
    const [kind = '', id = ''] = key.split('.')
    const conditionOf = customKinds[kind]
    return conditionOf && values.length > 0 ? [[customPath(id), conditionOf(values)] as const] : []
  })
  const where = { ...(tags.length > 0 && { tag_ids: { has: tags } }), ...Object.fromEntries(ofFields) }
  return Object.keys(where).length > 0 ? where : undefined
}

/** What was not encoded by this app stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
