import type { Page } from '@playwright/test'
import type { TestServer } from './server.ts'

/** Sets the expiry of the stored session to a past time. The client refreshes the session before the next use. */
export async function expireStoredSession(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open('banyan-session')
        openRequest.addEventListener('error', () => reject(openRequest.error))
        openRequest.addEventListener('success', () => {
          const transaction = openRequest.result.transaction('values', 'readwrite')
          const store = transaction.objectStore('values')
          const getRequest = store.get('session')
          getRequest.addEventListener('success', () => {
            const session = { ...JSON.parse(getRequest.result), expires_at: Math.round(Date.now() / 1000) - 5 }
            store.put(JSON.stringify(session), 'session')
          })
          transaction.addEventListener('complete', () => {
            openRequest.result.close()
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
      page.evaluate((visibility) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => visibility === 'hidden' })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      }, state),
    ),
  )
}

/** Returns the number of a user's sessions, and as `live` the number of the sessions' active refresh tokens. */
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

/** Returns the stored expiry of the session, in seconds since the epoch. 0 if no session is stored. */
export function storedExpiry(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const openRequest = indexedDB.open('banyan-session')
        openRequest.addEventListener('error', () => reject(openRequest.error))
        openRequest.addEventListener('success', () => {
          const getRequest = openRequest.result.transaction('values').objectStore('values').get('session')
          getRequest.addEventListener('success', () => {
            openRequest.result.close()
            resolve(getRequest.result ? (JSON.parse(getRequest.result).expires_at as number) : 0)
          })
        })
      }),
  )
}
