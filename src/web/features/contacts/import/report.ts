import type { SkippedRow } from './contact-row.ts'

/** The result of an import. */
export interface Report {
  ended: 'complete' | 'stopped' | 'failed'
  /** The message of the error if the import failed, else null. */
  message: string | null
  rows: number
  imported: number
  /** The number of new contacts. An undo of the import (by `importId`) deletes them, and restores the updated ones. */
  created: number
  /** The number of existing contacts that got values from the file. */
  updated: number
  /** The number of updated contacts that existed before the import. Rows for the same contact as an earlier row do not count. */
  changed: number
  importId: string
  /** The number of skipped rows. */
  errors: number
  /** The first few skipped rows, for the list on screen. */
  skipped: readonly SkippedRow[]
  leftOut: LeftOutNames
  /** The tags that contacts did not get. */
  leftOutTags: LeftOutNames
  /** The number of cells of imported rows that were left out, and the first few of them. */
  leftOutCells: { count: number; rows: readonly SkippedRow[] }
  /** The labels of required custom fields, each with the number of new contacts without a value. */
  missing: readonly (readonly [label: string, count: number])[]
  /** The number of imported rows for the same contact as an earlier row, and the first few of them. */
  repeated: number
  repeatedRows: readonly SkippedRow[]
  /** The number of rows that were skipped or of which a value was left out. `writeToCorrect` writes a file of them. */
  toCorrect: number
  writeToCorrect(): Promise<Blob>
}

/** Names of left out columns or tags: the first few, and their total number. */
export interface LeftOutNames {
  names: readonly string[]
  count: number
}
