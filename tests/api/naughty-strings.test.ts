import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { naughtyStrings, textFields, tryText } from '../harness/naughty-strings.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** This test writes every 12th naughty string, and three other texts, to each field. tests/long/naughty-strings.test.ts writes all strings. */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())

test('a text is stored as it was written, without spaces at its ends, or refused', async () => {
  const { client, user } = await signUpPerson(server, 'ana@naughty.example')
  const brandId = crypto.randomUUID()
  const { error } = await client.from('brands').insert({ id: brandId, name: 'Naughty', slug: 'naughty' })
  expect(error).toBeNull()
  const faults: string[] = []
  for (const field of await textFields(client, brandId, user.id)) {
    for (const text of [...naughtyStrings.filter((_, index) => index % 12 === 0), '\uFEFF x \u3000', '\0', 'a\0b']) {
      const fault = await tryText(client, field, text)
      if (fault && !(text.includes('\0') && /: 4\d\d /.test(fault))) faults.push(fault)
    }
  }
  expect(faults).toEqual([])
})
