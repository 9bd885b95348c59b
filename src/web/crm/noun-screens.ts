import type { ComponentType, ReactNode } from 'react'
import type { RecordTable } from '#web/data/store/record-tables.ts'

/** Fetches the code of a page. */
type PageCode = () => Promise<ComponentType>

/** The screens of a noun whose pages are in its feature's folder. */
export interface NounScreens {
  /** In the navigation: 'Tasks'. */
  label: string
  icon: ReactNode
  /** The list at /crm/NOUN, which shows the record of the address beside it. */
  Page: PageCode
  /** The record at /crm/NOUN/$id. */
  RecordPage: PageCode
  /** What the panels of other records show of it, by their table: a section, given the id of the record. */
  related?: Partial<Record<RecordTable, ComponentType<{ id: string }>>>
}
