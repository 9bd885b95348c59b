import { chromium } from '@playwright/test'
import { expect, test } from 'vitest'
import config from '../../playwright.config.ts'
import { createPerson, signInByScreen } from '../harness/browser.ts'
import { startTestServer } from '../harness/server.ts'
import { sessionCounts, expireStoredSession, setVisibility, storedExpiry } from '../harness/waking-tabs.ts'

const roundCount = 100

test(`two tabs that refresh at once, ${roundCount} times, share one chain of tokens, and neither is signed out`, {
  timeout: 600_000,
}, async () => {
  const server = await startTestServer({ webRoot: 'dist/web' })
  const browser = await chromium.launch(config.use?.launchOptions)
  try {
    const ana = await createPerson(server, { brand: 'Acme' })
    await ana.client.auth.signOut()
    const context = await browser.newContext({ baseURL: server.url })
    const refusedStatuses: string[] = []
    context.on('response', (response) => {
      if (response.url().includes('grant_type=refresh_token') && response.status() !== 200)
        refusedStatuses.push(`${response.status()}`)
    })
    const tabs = [await context.newPage(), await context.newPage()]
    const [first, second] = tabs
    if (!first || !second) throw new Error('no tabs')
    await first.goto('/crm/overview')
    await signInByScreen(first, ana.email, ana.password)
    await first.waitForURL(/\/crm\/overview$/)
    await second.goto('/crm/overview')
    for (let round = 0; round < roundCount; round++) {
      await setVisibility(tabs, 'hidden')
      await expireStoredSession(first)
      await setVisibility(tabs, 'visible')
      await expect
        .poll(() => storedExpiry(first), { timeout: 20_000, interval: 50 })
        .toBeGreaterThan(Date.now() / 1000 + 600)
    }
    expect(refusedStatuses).toEqual([])
    expect(tabs.map((tab) => new URL(tab.url()).pathname)).toEqual(['/crm/overview', '/crm/overview'])
    expect(await sessionCounts(server, ana.userId)).toEqual({ sessions: 1, live: 1 })
  } finally {
    await browser.close()
    await server.stop()
  }
})
