import type { ReactNode } from 'react'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { useTags } from '#web/data/tags.ts'
import { TagDot } from './tag-chip.tsx'

/** Something that the records of a list are filtered by. */
export interface Facet {
  /** Its key in `Filters`. */
  key: string
  /** 'Tags' */
  label: string
  options: readonly { value: string; label: string; icon?: ReactNode }[]
}

/** What the records of a table can be filtered by, as far as there is something to choose from. */
export function useFacets(_table: OwnedTable): Facet[] {
  const { tags } = useTags()
  const ofTags = tags.map(({ id, name, color }) => ({ value: id, label: name, icon: <TagDot color={color} /> }))
  return [{ key: 'tags', label: 'Tags', options: ofTags }].filter(({ options }) => options.length > 0)
}
