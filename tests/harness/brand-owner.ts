import { randomUUID } from 'node:crypto'
import { authRequest } from './auth-request.ts'

/** A person who signed up and created a brand over HTTP. */
export interface BrandOwner {
  accessToken: string
  brandId: string
}

/** Signs a new person up and creates a brand. Throws an error with the response if the server refuses. */
export async function signUpWithBrand(server: { url: string; publishableKey: string }): Promise<BrandOwner> {
  const { status, body } = await authRequest(server, '/signup', {
    body: { email: `ana-${randomUUID()}@example.com`, password: 'correct horse battery' },
  })
  if (status !== 200) throw new Error(`sign-up: ${status} ${JSON.stringify(body)}`)
  const brandId = randomUUID()
  const response = await fetch(`${server.url}/rest/v1/brands`, {
    method: 'POST',
    headers: {
      apikey: server.publishableKey,
      Authorization: `Bearer ${body.access_token}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ id: brandId, name: 'Acme' }),
  })
  if (response.status !== 201) throw new Error(`brand: ${response.status} ${await response.text()}`)
  return { accessToken: body.access_token, brandId }
}
