import type { BrowserContext, Page } from '@playwright/test'
import { everythingStored } from './stored.ts'

/** The places that may contain a person's data, each as one text. */
export type Places = Record<'IndexedDB and storage' | 'caches' | 'cookies' | 'screen', string>

/** Everything that this browser stores for the app, and the text of the page. */
export async function placesOf(page: Page): Promise<Places> {
  return {
    'IndexedDB and storage': await everythingStored(page),
    caches: await page.evaluate(readCaches),
    cookies: JSON.stringify(await page.context().cookies()),
    screen: await page.evaluate(() => document.documentElement.outerHTML),
  }
}

/** Names, addresses and texts of all caches. */
async function readCaches(): Promise<string> {
  const texts: string[] = []
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const kept = await cache.match(request)
      texts.push(name, request.url, (await kept?.text()) ?? '')
    }
  }
  return texts.join('\n')
}

/** The markers that are found, as 'marker in place'. */
export function hits(places: Record<string, string>, markers: readonly string[]): string[] {
  return Object.entries(places).flatMap(([place, text]) => {
    const held = text.toLowerCase()
    return markers.filter((marker) => held.includes(marker.toLowerCase())).map((marker) => `${marker} in ${place}`)
  })
}

/** Addresses, headers and bodies of all later requests of a browser, as one text. */
export function recordRequests(context: BrowserContext): () => string {
  const texts: string[] = []
  context.on('request', (request) => {
    texts.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
  })
  return () => texts.join('\n')
}
