import { expect, it } from 'vitest'
import { wordsOf } from './templates.ts'

const templateNames = [
  'signup',
  'repeated-signup',
  'several-signups',
  'known-address',
  'recovery',
  'email-change-current',
  'email-change-new',
  'email-changed',
  'reauthenticate',
  'password-changed',
  'factor-added',
  'factor-removed',
]

it('the words of each mail template about accounts are those in mails.txt', async () => {
  const data = { name: 'Phone app', old_email: 'old@example.com', new_email: 'new@example.com' }
  const mails = templateNames.map((name) => `# ${name}\n${JSON.stringify(wordsOf(name, data), null, 2)}\n`)
  await expect(mails.join('\n')).toMatchFileSnapshot('mails.txt')
})

it('a name that is no mail template has no words, even if it is a property of Object.prototype', () => {
  for (const name of ['', 'other', 'toString', '__proto__', 'constructor']) expect(wordsOf(name, {})).toBeNull()
})

it("the mail template 'message' takes all words from its data", () => {
  const words = { subject: 's', heading: 'h', lines: ['l'], note: 'n' }
  expect(wordsOf('message', words)).toMatchObject(words)
  for (const missing of ['subject', 'heading', 'lines'])
    expect(wordsOf('message', { ...words, [missing]: undefined })).toBeNull()
})
