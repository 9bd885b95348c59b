import type { Page } from '@playwright/test'
import type { TestServer } from './server.ts'

/** Sets the expiry of the stored session to a past time. The client refreshes the session when it uses it next. */
export async function expireStoredSession(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('banyan-session')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('values', 'readwrite')
          const store = transaction.objectStore('values')
          const read = store.get('session')
          read.addEventListener('success', () => {
            const session = { ...JSON.parse(read.result), expires_at: Math.round(Date.now() / 1000) - 5 }
            store.put(JSON.stringify(session), 'session')
          })
          transaction.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
  )
}

/** Makes all pages hidden or visible at the same time, as when a laptop is closed or opened. */
export async function setVisibility(pages: readonly Page[], state: 'hidden' | 'visible'): Promise<void> {
  await Promise.all(
    pages.map((page) =>
      page.evaluate((now) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => now === 'hidden' })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      }, state),
    ),
  )
}

/** Returns the numbers of a user's sessions and of their active refresh tokens. */
export async function sessionCounts(server: TestServer, userId: string): Promise<{ sessions: number; live: number }> {
  const { rows = [] } =
    (await server.database?.owner.query(
      `select (select count(*)::int from auth.sessions where user_id = $1) as sessions,
              (select count(*)::int from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
               where s.user_id = $1 and not t.revoked) as live`,
      [userId],
    )) ?? {}
  return rows[0]
}

/** Returns the stored expiry of the session, in seconds since the epoch. */
export function storedExpiry(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('banyan-session')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const read = opening.result.transaction('values').objectStore('values').get('session')
          read.addEventListener('success', () => {
            opening.result.close()
            resolve(read.result ? (JSON.parse(read.result).expires_at as number) : 0)
          })
        })
      }),
  )
}
