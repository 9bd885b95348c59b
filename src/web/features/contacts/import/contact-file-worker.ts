import { ContactFile } from './contact-file.ts'
import type { WorkerResponse, WorkerRequest } from './worker-messages.ts'

/** A web worker that runs a ContactFile, so that reading a large file never blocks the page. */

/** The open file. Null before the first request. */
const current: { file: ContactFile | null } = { file: null }

addEventListener('message', (event: MessageEvent<WorkerRequest>) => {
  answer(event.data).then(
    (message) => postMessage(message),
    (error: unknown) => postMessage({ error: String(error) } satisfies WorkerResponse),
  )
})

async function answer(question: WorkerRequest): Promise<WorkerResponse> {
  if (question.ask === 'open') {
    const contacts = new ContactFile(question.file, question.fields)
    current.file = contacts
    return { opened: await contacts.open() }
  }
  const { file } = current
  if (!file) throw new Error('no file is open')
  if (question.ask === 'first-row') return { opened: await file.readFirstRowAs(question.headless, question.fields) }
  if (question.ask === 'correction-file')
    return { blob: await file.correctionFile(question.corrections, question.columns) }
  const { size, columns, fields } = question
  if (question.ask === 'first-rows') return { first: await file.firstRows(size, columns, fields) }
  if (question.ask === 'unreadable') return { unreadable: await file.unreadableValues(size, columns, fields) }
  return { batch: await file.next(size, columns, fields) }
}
