import { ContactFile } from './contact-file.ts'
import type { WorkerResponse, WorkerRequest } from './worker-messages.ts'

/** A web worker that runs a ContactFile, so that reading a large file never blocks the page. */

/** The open file. Null before the first request. */
const current: { file: ContactFile | null } = { file: null }

addEventListener('message', (event: MessageEvent<WorkerRequest>) => {
  respond(event.data).then(
    (message) => postMessage(message),
    (error: unknown) => postMessage({ error: String(error) } satisfies WorkerResponse),
  )
})

async function respond(request: WorkerRequest): Promise<WorkerResponse> {
  if (request.ask === 'open') {
    const contacts = new ContactFile(request.file, request.fields)
    current.file = contacts
    return { opened: await contacts.open() }
  }
  const { file } = current
  if (!file) throw new Error('no file is open')
  if (request.ask === 'first-row') return { opened: await file.readFirstRowAs(request.headless, request.fields) }
  const { columns, fields } = request
  if (request.ask === 'correction-file')
    return { blob: await file.correctionFile(request.corrections, columns, fields) }
  const { size } = request
  if (request.ask === 'first-rows') return { first: await file.firstRows(size, columns, fields) }
  if (request.ask === 'unreadable') return { unreadable: await file.unreadableValues(size, columns, fields) }
  return { batch: await file.next(size, columns, fields) }
}
