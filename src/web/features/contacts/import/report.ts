import type { SkippedRow } from './contact-file.ts'

/** What an import has done. */
export interface Report {
  ended: 'complete' | 'stopped' | 'failed'
  /** When it failed: the server's message. */
  message: string | null
  rows: number
  imported: number
  /** Of the imported ones: contacts that were not there before. An undo deletes them, by the id of the import, and restores the others. */
  created: number
  /** Contacts that were there before and got values of the file. */
  updated: number
  /** Of these, without the rows that share their address with an earlier row: known before the import. */
  changed: number
  importId: string
  errors: number
  /** The first few, for the list on screen. */
  skipped: readonly SkippedRow[]
  leftOut: LeftOut
  /** Tags that contacts did not get. */
  leftOutTags: LeftOut
  /** Cells of imported rows that were left out, and the first few of them. */
  leftOutCells: { count: number; rows: readonly SkippedRow[] }
  /** The labels of required custom fields, each with how many new contacts have no value of it. */
  missing: readonly (readonly [label: string, count: number])[]
  /** Imported rows whose address an earlier row of the file has, too, and the first few of them. */
  repeated: number
  repeatedRows: readonly SkippedRow[]
  /** Rows that were skipped, or imported without a value that could not be read; `writeToCorrect` makes a file of them. */
  toCorrect: number
  writeToCorrect(): Promise<Blob>
}

/** Columns that are not imported: the first few names, and how many there are. */
export interface LeftOut {
  names: readonly string[]
  count: number
}
