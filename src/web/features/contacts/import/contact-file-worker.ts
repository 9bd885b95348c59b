import { ContactFile } from './contact-file.ts'
import type { Answer, Question } from './worker-messages.ts'

/** A web worker that runs a ContactFile, so that reading a large file never blocks the page. */
const present: { file: ContactFile | null } = { file: null }

addEventListener('message', (event: MessageEvent<Question>) => {
  answer(event.data).then(
    (message) => postMessage(message),
    (error: unknown) => postMessage({ error: String(error) } satisfies Answer),
  )
})

async function answer(question: Question): Promise<Answer> {
  if (question.ask === 'open') {
    const contacts = new ContactFile(question.file, question.fields)
    present.file = contacts
    return { opened: await contacts.open() }
  }
  const { file } = present
  if (!file) throw new Error('no file is open')
  if (question.ask === 'correction-file')
    return { blob: await file.correctionFile(question.corrections, question.columns) }
  const { size, columns, fields } = question
  if (question.ask === 'first-rows') return { first: await file.firstRows(size, columns, fields) }
  return { batch: await file.next(size, columns, fields) }
}
