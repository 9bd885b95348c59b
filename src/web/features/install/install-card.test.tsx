// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { catchInstallOffer } from '#web/lib/install-prompt.ts'
import { InstallCard } from './install-card.tsx'

renderInPage()

const cards = () => document.querySelectorAll('[aria-label="Install the app"]')

test('of the two cards, in the sidebar and on the overview, closing one closes both', () => {
  catchInstallOffer()
  const Cards = () => (
    <>
      <InstallCard />
      <InstallCard />
    </>
  )
  act(() => {
    reactRoot.render(<Cards />)
    window.dispatchEvent(new Event('beforeinstallprompt'))
  })
  expect(cards()).toHaveLength(2)
  act(() => document.querySelector<HTMLElement>('[aria-label="Not now"]')?.click())
  expect(cards()).toHaveLength(0)
})
