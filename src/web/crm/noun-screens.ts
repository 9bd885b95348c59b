import type { ComponentType, ReactNode } from 'react'
import type { RecordTable } from '#web/data/store/record-tables.ts'

/** Loads the code of a page. */
type PageCode = () => Promise<ComponentType>

/** The screens of a noun whose pages are in its feature's folder. */
export interface NounScreens {
  /** The label in the navigation: 'Tasks'. */
  label: string
  icon: ReactNode
  /** The list at /crm/NOUN, with the open record's panel beside it. */
  Page: PageCode
  /** The record at /crm/NOUN/$id. */
  RecordPage: PageCode
  /** The sections that the panels of other records show for this noun, by the other record's table. `id` is the other record's id. */
  related?: Partial<Record<RecordTable, ComponentType<{ id: string }>>>
}
