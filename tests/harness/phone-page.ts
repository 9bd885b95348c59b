import type { Page } from '@playwright/test'

/** Minimum size of a touch target (CSS pixels). */
const minSize = 44

/**
 * Returns the tappable elements of the current page that are smaller than 44 × 44 pixels, as 'button "Close" 28×28'. The size is
 * the area in which a tap hits the element (a label counts for its field). Scrolls each element into view. Elements behind a
 * dialog are left out.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((size) => {
    const selector =
      'a[href], button, input, select, textarea, [role=tab], [role=option], [role^=menuitem], [role=button], [role=switch]'
    const smallNames = new Set<string>()
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const box = element.getBoundingClientRect()
      const isInvisible = box.width === 0 || box.height === 0 || getComputedStyle(element).visibility !== 'visible'
      if (isInvisible || element.closest('[inert]') || element.matches('input[type=file]')) continue
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const hits = (atX: number, atY: number): boolean => {
        const hit = document.elementFromPoint(atX, atY)
        if (!hit) return false
        const label = hit.closest('label')
        return element.contains(hit) || (label?.control === element && !hit.closest('button, a'))
      }
      // Skips elements that are outside of the screen, or covered on purpose (a row that is scrolled under its heading).
      if (!hits(x, y)) continue
      let isUnderList = false
      const reach = (stepX: number, stepY: number): number => {
        let steps = 0
        while (steps < size && hits(x + stepX * (steps + 1), y + stepY * (steps + 1))) steps += 1
        const nextElement = document.elementFromPoint(x + stepX * (steps + 1), y + stepY * (steps + 1))
        if (steps < size && nextElement?.closest('[popover]')) isUnderList = true
        return steps
      }
      const widthPx = 1 + reach(-1, 0) + reach(1, 0)
      const heightPx = 1 + reach(0, -1) + reach(0, 1)
      // Skips elements below an open list, which covers them at each scroll position.
      if ((widthPx >= size && heightPx >= size) || (isUnderList && !element.closest('[role=listbox]'))) continue
      const name = element.getAttribute('aria-label') ?? element.textContent
      smallNames.add(`${element.tagName.toLowerCase()} "${name.trim().slice(0, 50)}" ${widthPx}×${heightPx}`)
    }
    return [...smallNames]
  }, minSize)
}

/** Returns which of 'page' and 'main' can scroll sideways, with their widths, as 'page: 400 in 360'. Empty if neither can. */
export function sidewaysScroll(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parts: [string, Element | null][] = [
      ['page', document.documentElement],
      ['main', document.getElementById('main')],
    ]
    return parts.flatMap(([name, part]) =>
      part && part.scrollWidth > part.clientWidth ? [`${name}: ${part.scrollWidth} in ${part.clientWidth}`] : [],
    )
  })
}
