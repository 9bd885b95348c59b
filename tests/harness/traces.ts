import type { BrowserContext, Page } from '@playwright/test'
import { everythingStored } from './stored.ts'

/** Where something of somebody can be left behind, each as one text. */
export type Places = Record<'IndexedDB and storage' | 'caches' | 'cookies' | 'screen', string>

/** All that this browser keeps for the app, and what the page shows. */
export async function placesOf(page: Page): Promise<Places> {
  return {
    'IndexedDB and storage': await everythingStored(page),
    caches: await page.evaluate(readCaches),
    cookies: JSON.stringify(await page.context().cookies()),
    screen: await page.evaluate(() => document.documentElement.outerHTML),
  }
}

/** Names, addresses and texts of all that the caches hold. */
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

/** Which of the markers stand where, as 'marker in place'. */
export function hits(places: Record<string, string>, markers: readonly string[]): string[] {
  return Object.entries(places).flatMap(([place, text]) => {
    const held = text.toLowerCase()
    return markers.filter((marker) => held.includes(marker.toLowerCase())).map((marker) => `${marker} in ${place}`)
  })
}

/** Addresses, headers and bodies of all requests of a browser from now on, as one text. */
export function recordRequests(context: BrowserContext): () => string {
  const texts: string[] = []
  context.on('request', (request) => {
    texts.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
  })
  return () => texts.join('\n')
}
