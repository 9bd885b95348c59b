import { expect, it } from 'vitest'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer } from '../harness/server.ts'

it('hundreds of sign-ins from one network move another network back by a few positions in the queue at most, and cause no 503', async () => {
  // There are no limits on attempts here, so only the queue protects the other network.
  const server = await startTestServer({ run: 'process', product: false, env: { TRUST_PROXY: '1' } })
  const reachableServer = { ...server, url: `http://127.0.0.1:${server.port}` }
  try {
    await signUpPerson(reachableServer, 'owner@example.com')
    const signIn = async (email: string, password: string, address: string) => {
      const headers = { 'X-Forwarded-For': address }
      return (await authRequest(reachableServer, '/token?grant_type=password', { body: { email, password }, headers }))
        .status
    }
    const responseCounts = new Map<number, number>()
    let waitingCount = 0
    const sendStrangerSignIn = (email: string) => {
      waitingCount++
      signIn(email, 'wrong password', '203.0.113.1')
        .then((status) => responseCounts.set(status, (responseCounts.get(status) ?? 0) + 1))
        // These requests still wait when the server is killed.
        .catch(() => {})
        .finally(() => waitingCount--)
    }
    for (let n = 0; n < 80; n++) sendStrangerSignIn('owner@example.com')
    for (let n = 0; n < 256; n++) sendStrangerSignIn(`stranger${n}@example.com`)
    // The requests have arrived: those above the network's limit were refused at once.
    await expect.poll(() => responseCounts.get(429) ?? 0, { timeout: 20_000, interval: 5 }).toBeGreaterThan(100)

    const servedBefore: number[] = []
    for (let round = 0; round < 3; round++) {
      const served = responseCounts.get(400) ?? 0
      expect(await signIn('owner@example.com', 'correct horse', '192.0.2.7')).toBe(200)
      servedBefore.push((responseCounts.get(400) ?? 0) - served)
    }
    expect(waitingCount).toBeGreaterThan(0)
    // Sign-ins of the attacker that may be served before the owner's: the running ones (at most four), one for the owner's account, and one turn of
    // the attacker's network.
    expect(Math.min(...servedBefore)).toBeLessThanOrEqual(4)
    expect(Math.max(...servedBefore)).toBeLessThanOrEqual(10)
    expect([...responseCounts.keys()].toSorted((a, b) => a - b)).toEqual([400, 429])
  } finally {
    await server.kill()
    await server.stop()
  }
}, 60_000)
