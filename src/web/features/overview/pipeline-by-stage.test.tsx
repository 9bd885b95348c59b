// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { respondWith } from '#tests/harness/answered-queries.ts'
import { putFigureDeals } from '#tests/harness/counted-figures.ts'
import { openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { AppRouter } from '#web/lib/routing/app-router.ts'
import { ScrollMemory } from '#web/lib/routing/scroll-memory.ts'
import { RouterContext } from '#web/lib/routing/use-router.ts'
import { PipelineByStage } from './pipeline-by-stage.tsx'

renderInPage()

test('while the server counts the deals, the stages have placeholders instead of the sums of the deals on this device', async () => {
  const tab = await openLoneTab({ windowed: ['deals'] })
  respondWith(tab.network, () => ({
    rows: [],
    end: null,
    total: 40,
    sums: [{ currency: 'GBP', count: 40, amount: 100 }],
  }))
  putRows(tab.data, 'deal_stages', { id: 'x', name: 'Incoming', kind: 'open', position: 1 })
  putFigureDeals(tab)
  const router = new AppRouter(
    { pages: [], notFound: { path: '' } },
    { write: (change) => change(), scroll: new ScrollMemory((path) => path, '#main') },
  )
  await act(async () =>
    reactRoot.render(
      <RouterContext value={router}>
        <DeviceContext value={tab.device}>
          <PipelineByStage />
        </DeviceContext>
      </RouterContext>,
    ),
  )
  const shownText = () => document.querySelector('ul')?.textContent
  expect(shownText()).toBe('')
  // Placeholders that are shown stay for at least 300 ms.
  await vi.waitFor(async () => {
    await act(async () => {
      await untilIdle(20)
      tab.clock.advance(4)
    })
    expect(shownText()).toBe('Incoming40£100')
  }, 10_000)
})
