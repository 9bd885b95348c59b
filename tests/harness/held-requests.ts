import type { Page } from '@playwright/test'

/** Holds back the page's requests to this address, of one method or of all, until the returned function is called. */
export async function holdRequests(page: Page, url: string, method?: string): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(url, async (route) => {
    if (method === undefined || route.request().method() === method) await held
    await route.continue()
  })
  return letGo
}
