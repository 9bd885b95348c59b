// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { catchInstallOffer } from '#web/lib/install-prompt.ts'
import { InstallCard } from './install-card.tsx'

renderInPage()

const cards = () => document.querySelectorAll('[aria-label="Install the app"]')

test('closing one of the two install cards (in the sidebar and on the overview) closes both', async () => {
  const { device } = await openLoneTab()
  catchInstallOffer()
  const Cards = () => (
    <DeviceContext value={device}>
      <InstallCard />
      <InstallCard />
    </DeviceContext>
  )
  act(() => {
    reactRoot.render(<Cards />)
    window.dispatchEvent(new Event('beforeinstallprompt'))
  })
  expect(cards()).toHaveLength(2)
  act(() => document.querySelector<HTMLElement>('[aria-label="Not now"]')?.click())
  expect(cards()).toHaveLength(0)
})
