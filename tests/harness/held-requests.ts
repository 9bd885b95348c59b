import type { Page } from '@playwright/test'

/** Delays the page's requests to a URL until the returned function is called. `method`: delays only this HTTP method. */
export async function holdRequests(page: Page, url: string, method?: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await released
    await route.continue()
  })
  return release
}
