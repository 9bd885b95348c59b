import { expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { startTestServer } from '../harness/server.ts'

it('a permanent SQL error returns 500, not 503, and no internal details', async () => {
  const server = await startTestServer()
  try {
    await server.database!.owner.query('alter table auth.identities rename to identities_away')
    const response = await authRequest(server, '/signup', {
      body: { email: 'ana@example.com', password: 'correct horse' },
    })
    expect(response.status).toBe(500)
    expect(JSON.stringify(response.body)).not.toMatch(/identities|relation/)
    await server.database!.owner.query('alter table auth.identities_away rename to identities')
    const secondSignUp = await authRequest(server, '/signup', {
      body: { email: 'ana@example.com', password: 'correct horse' },
    })
    expect(secondSignUp.status).toBe(200)
  } finally {
    await server.stop()
  }
})
