import type { CustomField } from '#web/data/server/rows.ts'
import type { Batch, OpenResult } from './contact-file.ts'
import type { FirstFileRows, UnreadableValues } from './first-file-rows.ts'
import type { ColumnMap } from './map-columns.ts'
import type { Corrections } from './rows-to-correct.ts'

/** The requests from the page to the worker that reads a file, one at a time. */
export type WorkerRequest =
  | { ask: 'open'; file: File; fields: readonly CustomField[] }
  | { ask: 'first-row'; headless: boolean; fields: readonly CustomField[] }
  | { ask: 'next'; size: number; columns: ColumnMap; fields: readonly CustomField[] }
  | { ask: 'first-rows'; size: number; columns: ColumnMap; fields: readonly CustomField[] }
  | { ask: 'unreadable'; size: number; columns: ColumnMap; fields: readonly CustomField[] }
  | { ask: 'correction-file'; corrections: Corrections; columns: ColumnMap; fields: readonly CustomField[] }

export type WorkerResponse =
  | { opened: OpenResult }
  | { batch: Batch }
  | { first: FirstFileRows }
  | { unreadable: UnreadableValues }
  | { blob: Blob }
  | { error: string }
