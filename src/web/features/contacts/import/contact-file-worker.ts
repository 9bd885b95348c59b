import { ContactFile } from './contact-file.ts'
import type { Answer, Question } from './worker-messages.ts'

/** The worker: a ContactFile behind messages, so that reading a large file never blocks the page. */
let contacts: ContactFile | null = null

addEventListener('message', (event: MessageEvent<Question>) => {
  answer(event.data).then(
    (message) => postMessage(message),
    (error: unknown) => postMessage({ error: String(error) } satisfies Answer),
  )
})

async function answer(question: Question): Promise<Answer> {
  if (question.ask === 'open') {
    contacts = new ContactFile(question.file)
    return { opened: await contacts.open() }
  }
  if (!contacts) throw new Error('no file is open')
  if (question.ask === 'next') return { batch: await contacts.next(question.size) }
  return { blob: await contacts.skippedFile(question.reasons) }
}
