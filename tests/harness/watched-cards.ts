import type { Page } from '@playwright/test'

/** A card that appeared in a stage: the ids of deal and stage, and the time when the card was painted there (ms since the epoch). */
export interface PaintedCard {
  deal: string
  stage: string
  at: number
}

/** Records the cards of the board from now on: first all that are shown, then each new card and each card that moved. The board must be shown. */
export function watchCards(page: Page): Promise<void> {
  return page.evaluate(() => {
    const stageByDeal = new Map<string, string>()
    const painted: PaintedCard[] = []
    const recordNewCards = () => {
      const newCards: [string, string][] = []
      for (const card of document.querySelectorAll<HTMLElement>('[data-stage] [data-deal]')) {
        const stage = card.closest<HTMLElement>('[data-stage]')?.dataset.stage ?? ''
        const deal = card.dataset.deal ?? ''
        if (stageByDeal.get(deal) === stage || !card.checkVisibility({ visibilityProperty: true })) continue
        stageByDeal.set(deal, stage)
        newCards.push([deal, stage])
      }
      if (newCards.length === 0) return
      // Takes the time after the frame that paints the cards.
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.addEventListener('message', () => {
          const paintedAt = performance.timeOrigin + performance.now()
          for (const [deal, stage] of newCards) painted.push({ deal, stage, at: paintedAt })
        })
        channel.port1.start()
        channel.port2.postMessage(null)
      })
    }
    recordNewCards()
    new MutationObserver(recordNewCards).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['style', 'data-deal'],
    })
    Object.assign(window, { painted })
  })
}

/** Returns the recorded cards, in order. */
export function paintedCards(page: Page): Promise<PaintedCard[]> {
  return page.evaluate(() => (window as unknown as { painted: PaintedCard[] }).painted)
}
