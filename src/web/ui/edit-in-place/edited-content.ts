import { createContext } from 'react'

/** The content of a panel, whose fields are edited in place. */
export interface EditedContent {
  /** The name of the content, such as a record's name. Null if it has none. */
  name: string | null
  /** True when this person deletes the content in its panel. Its fields then save nothing more, and show no errors. */
  isDeleted: boolean
}

/** Passes the panel's content to its fields. */
export const EditedContentContext = createContext<EditedContent>({ name: null, isDeleted: false })
