import { expect, type Locator, type Page } from '@playwright/test'

/** Presses `key` until this element has the focus. Each focused element on the way must be visible and show its focus. Throws after 60 presses. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press(key)
    const focusedHtml = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80))
    if (focusedHtml && !focusedHtml.startsWith('<body')) {
      await expect.poll(() => page.evaluate(showsFocus), { message: focusedHtml }).toBe(true)
      await expect(page.locator(':focus, input:focus-within')).toBeInViewport()
    }
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab never focuses ${String(target)}`)
}

/** Moves to a link or button with Tab and presses Enter. */
export async function tabToAndPressEnter(page: Page, target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await tabTo(page, target, key)
  await page.keyboard.press('Enter')
}

/**
 * Expects that an element has the focus: if the pressed element was removed, the next Tab must not start at the top of the
 * page.
 */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
}

/**
 * Runs in the page. True if the focus is visible: as a ring, or as the 3 px halo of a field's frame. A date field does not match
 * `:focus-visible` while its calendar button has the focus, so the halo of its frame counts.
 */
function showsFocus(): boolean {
  const element = document.activeElement
  const frame = element?.closest('.field-frame')
  if (frame && element?.matches('input, textarea, select, [role="combobox"]')) {
    return getComputedStyle(frame).boxShadow.includes('0px 0px 0px 3px')
  }
  return element?.matches(':focus-visible') ?? false
}
