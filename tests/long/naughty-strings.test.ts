import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { naughtyStrings, textFields, tryText } from '../harness/naughty-strings.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

// This test writes each text of the Big List of Naughty Strings into every text field of the product.

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())

test('every naughty string in every text field is stored correctly (see `tryText`), or refused', async () => {
  const { client, user } = await signUpPerson(server, 'ana@naughty.example')
  const brandId = crypto.randomUUID()
  await client.from('brands').insert({ id: brandId, name: 'Naughty', slug: 'naughty' })
  const fields = await textFields(client, brandId, user.id)
  const faults: string[] = []
  let writes = 0
  for (const field of fields) {
    for (const text of naughtyStrings) {
      const fault = await tryText(client, field, text)
      writes += 1
      if (fault) faults.push(fault)
    }
  }
  console.log(`${writes} writes in ${fields.length} fields, ${faults.length} faults`)
  expect(faults).toEqual([])
})
