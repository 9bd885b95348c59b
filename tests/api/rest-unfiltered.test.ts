import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library?.stop())

const send = (method: string, target: string, key = 'reader') =>
  raw(key, method, target, method === 'PATCH' ? '{"stars":1}' : undefined)

async function raw(key: string, method: string, target: string, body?: string) {
  const { url, publishableKey, secretKey } = library.server
  const { data } = await library.reader.auth.getSession()
  const apikey = key === 'service' ? secretKey : publishableKey
  const authorization = `Bearer ${key === 'reader' ? data.session?.access_token : apikey}`
  const headers = { apikey, authorization, 'content-type': 'application/json', prefer: 'return=representation' }
  return fetch(`${url}/rest/v1/${target}`, { method, headers, ...(body === undefined ? {} : { body }) })
}

it.each([
  ['no parameter', 'reviews'],
  ['no filter', 'reviews?select=id'],
  ['an order', 'reviews?order=id'],
  ['a filter on an embedded resource only', 'reviews?select=id,books(id)&books.id=eq.1'],
  ['a tree of conditions on an embedded resource only', 'reviews?select=id,books(id)&books.or=(id.eq.1,id.eq.2)'],
])('PATCH and DELETE with %s are refused, for the secret key too', async (_what, target) => {
  for (const key of ['reader', 'service']) {
    for (const [method, word] of Object.entries({ PATCH: 'UPDATE', DELETE: 'DELETE' })) {
      const response = await send(method, target, key)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({
        code: '21000',
        message: `${word} requires a WHERE clause`,
        details: null,
        hint: 'Add a filter that says which rows are meant, such as ?id=eq.…',
      })
    }
  }
})

it.each(['and=()', 'or=()', 'not.and=()', 'and=(or())'])(
  'the empty tree of conditions %s does not count as a filter',
  async (tree) => {
    expect((await send('DELETE', `reviews?${tree}`)).status).toBe(400)
    const { rows } = await library.owner.query('select from public.reviews')
    expect(rows).toHaveLength(3)
  },
)

it('one condition on the table itself is enough for PATCH and DELETE, in a tree of conditions too', async () => {
  expect((await send('PATCH', 'reviews?id=eq.99')).status).toBe(200)
  expect((await send('DELETE', 'reviews?or=(id.eq.98,and(id.eq.99,stars.is.null))')).status).toBe(200)
})

it('the official client returns the refusal of a write without a filter', async () => {
  const { error, status } = await library.service.from('reviews').delete()
  expect(status).toBe(400)
  expect(error).toMatchObject({ code: '21000', message: 'DELETE requires a WHERE clause' })
})
