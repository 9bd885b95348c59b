import type { CustomField } from '#web/data/server/rows.ts'
import { type Batch, ContactFile, type OpenResult } from './contact-file.ts'
import type { FirstFileRows, UnreadableValues } from './first-file-rows.ts'
import type { ColumnMap } from './map-columns.ts'
import type { Corrections } from './rows-to-correct.ts'
import type { WorkerResponse, WorkerRequest } from './worker-messages.ts'

/** A file of contacts, read by a web worker if the browser allows it. The methods do the same as those of `ContactFile`. */
export interface OpenFile {
  opened: OpenResult
  /** Checks the file again, with its first row as a contact (`headless`) or as the header. `fields`: the current custom fields. */
  readFirstRowAs(headless: boolean, fields: readonly CustomField[]): Promise<OpenResult>
  next(size: number, columns: ColumnMap, fields: readonly CustomField[]): Promise<Batch>
  /** The first rows, without an effect on `next`. */
  firstRows(size: number, columns: ColumnMap, fields: readonly CustomField[]): Promise<FirstFileRows>
  /** The values of the first rows that no custom field can have, without an effect on `next`. */
  unreadableValues(size: number, columns: ColumnMap, fields: readonly CustomField[]): Promise<UnreadableValues>
  correctionFile(corrections: Corrections, columns: ColumnMap, fields: readonly CustomField[]): Promise<Blob>
  /** Ends the worker, if there is one. */
  close(): void
}

/**
 * Checks the whole file and opens it. `fields`: the custom fields that its columns can map to. Rejects if the file cannot be read from the
 * disk.
 */
export async function openContactFile(file: File, fields: readonly CustomField[]): Promise<OpenFile> {
  const worker = startWorker()
  return worker ? openInWorker(file, fields, worker) : openOnPage(file, fields)
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL('./contact-file-worker.ts', import.meta.url), { type: 'module' })
  } catch {
    // Some browsers refuse workers on insecure origins. Then the page itself reads the file, in small steps.
    return null
  }
}

async function openInWorker(file: File, fields: readonly CustomField[], worker: Worker): Promise<OpenFile> {
  let lastResponse: Promise<unknown> = Promise.resolve()
  const send = (request: WorkerRequest) => {
    const response = lastResponse.then(
      () =>
        new Promise<WorkerResponse>((resolve, reject) => {
          worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
            if ('error' in data) reject(new Error(data.error))
            else resolve(data)
          }
          worker.onerror = () => reject(new WorkerError())
          worker.postMessage(request)
        }),
    )
    lastResponse = response.catch(() => {})
    return response
  }
  let opened: OpenResult
  try {
    const response = await send({ ask: 'open', file, fields })
    if (!('opened' in response)) throw new WorkerError()
    opened = response.opened
  } catch (error) {
    worker.terminate()
    if (error instanceof WorkerError) return openOnPage(file, fields)
    throw error
  }
  return {
    opened,
    readFirstRowAs: async (headless, fields) => {
      const response = await send({ ask: 'first-row', headless, fields })
      if (!('opened' in response)) throw new WorkerError()
      return response.opened
    },
    next: async (size, columns, fields) => {
      const response = await send({ ask: 'next', size, columns, fields })
      if (!('batch' in response)) throw new WorkerError()
      return response.batch
    },
    firstRows: async (size, columns, fields) => {
      const response = await send({ ask: 'first-rows', size, columns, fields })
      if (!('first' in response)) throw new WorkerError()
      return response.first
    },
    unreadableValues: async (size, columns, fields) => {
      const response = await send({ ask: 'unreadable', size, columns, fields })
      if (!('unreadable' in response)) throw new WorkerError()
      return response.unreadable
    },
    correctionFile: async (corrections, columns, fields) => {
      const response = await send({ ask: 'correction-file', corrections, columns, fields })
      if (!('blob' in response)) throw new WorkerError()
      return response.blob
    },
    close: () => worker.terminate(),
  }
}

/** Thrown if the worker could not be loaded, has crashed, or sends another response than the requested one. */
class WorkerError extends Error {}

async function openOnPage(file: File, fields: readonly CustomField[]): Promise<OpenFile> {
  const contacts = new ContactFile(file, fields, () => new Promise((resolve) => setTimeout(resolve)))
  const opened = await contacts.open()
  return {
    opened,
    readFirstRowAs: (headless, fields) => contacts.readFirstRowAs(headless, fields),
    next: (size, columns, fields) => contacts.next(size, columns, fields),
    firstRows: (size, columns, fields) => contacts.firstRows(size, columns, fields),
    unreadableValues: (size, columns, fields) => contacts.unreadableValues(size, columns, fields),
    correctionFile: (corrections, columns, fields) => contacts.correctionFile(corrections, columns, fields),
    close: () => {},
  }
}
