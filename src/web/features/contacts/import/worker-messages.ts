import type { CustomField } from '#web/data/server/rows.ts'
import type { Batch, FirstRows, Opened } from './contact-file.ts'
import type { ColumnMap } from './map-columns.ts'

/** The requests from the page to the worker that reads a file, one at a time. */
export type Question =
  | { ask: 'open'; file: File; fields: readonly CustomField[] }
  | { ask: 'next'; size: number; columns: ColumnMap }
  | { ask: 'first-rows'; size: number; columns: ColumnMap }
  | { ask: 'skipped-file'; reasons: ReadonlyMap<number, string> }

export type Answer = { opened: Opened } | { batch: Batch } | { first: FirstRows } | { blob: Blob } | { error: string }
