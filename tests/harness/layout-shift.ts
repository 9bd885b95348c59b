import type { Page } from '@playwright/test'

declare global {
  interface Window {
    layoutShifts?: string[]
    layoutShift?: number
  }
}

/** Records the layout shifts of each document that this page loads. Call it before the first `goto`. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShift = 0
    window.layoutShifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null }[]
        }
        if (shift.hadRecentInput) continue
        window.layoutShift = (window.layoutShift ?? 0) + shift.value
        const movedElements = shift.sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 80) : '?',
        )
        window.layoutShifts?.push(
          `${shift.value.toFixed(4)} at ${Math.round(shift.startTime)} ms: ${movedElements.join(' | ')}`,
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/**
 * Returns the sum of the layout shifts of the loaded page, and a text for each shift: its value, its time and the elements that moved. Shifts just
 * after an input do not count. The sum is stricter than CLS, which is the largest group of shifts.
 */
export function layoutShift(page: Page): Promise<{ sum: number; shifts: string[] }> {
  return page.evaluate(() => ({ sum: window.layoutShift ?? 0, shifts: window.layoutShifts ?? [] }))
}
