import type { BrowserContext, Page } from '@playwright/test'
import { everythingStored } from './stored.ts'

/** Everything in the browser that may contain a person's data: one text per kind of storage, and one for the screen. */
export type StoredTexts = Record<'IndexedDB and storage' | 'caches' | 'cookies' | 'screen', string>

/** Returns everything that this browser stores for the app, and the HTML of the page. */
export async function storedTexts(page: Page): Promise<StoredTexts> {
  return {
    'IndexedDB and storage': await everythingStored(page),
    caches: await page.evaluate(readCaches),
    cookies: JSON.stringify(await page.context().cookies()),
    screen: await page.evaluate(() => document.documentElement.outerHTML),
  }
}

/** Returns the names, URLs and texts of all caches. */
async function readCaches(): Promise<string> {
  const texts: string[] = []
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const response = await cache.match(request)
      texts.push(name, request.url, (await response?.text()) ?? '')
    }
  }
  return texts.join('\n')
}

/** Returns the markers that the texts contain, ignoring case, as 'marker in caches'. */
export function foundMarkers(texts: Record<string, string>, markers: readonly string[]): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const lowerCaseText = text.toLowerCase()
    return markers
      .filter((marker) => lowerCaseText.includes(marker.toLowerCase()))
      .map((marker) => `${marker} in ${name}`)
  })
}

/** Records the requests of a browser from now on. Returns a function that returns their URLs, headers and bodies as one text. */
export function recordRequests(context: BrowserContext): () => string {
  const texts: string[] = []
  context.on('request', (request) => {
    texts.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
  })
  return () => texts.join('\n')
}
