// @vitest-environment happy-dom
import { act, Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { lazyComponent } from './lazy-component.tsx'

renderInPage({ timers: 'fake' })

const Moves = ({ name }: { name: string }) => <b>Moves of {name}</b>
const text = () => document.body.textContent
const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Returns the function `load`, which loads the code of a component, and `network`. `load` fails while `network.isGone`. */
function networkAndLoad() {
  const network = { isGone: true }
  const load = vi.fn(async () => {
    if (network.isGone) throw new TypeError('Failed to fetch dynamically imported module')
    return Moves
  })
  return { network, load }
}

test('a component whose code cannot be loaded does not affect the rest of the page, and is shown once the network is back', async () => {
  const { network, load } = networkAndLoad()
  const Late = lazyComponent(load)
  const page = (
    <>
      Board
      <Suspense fallback="…">
        <Late name="Ana" />
      </Suspense>
    </>
  )
  await act(async () => reactRoot.render(page))
  expect(text()).toBe('Board')
  network.isGone = false
  await act(async () => dispatchEvent(new Event('online')))
  expect(text()).toBe('BoardMoves of Ana')
  const calls = load.mock.calls.length
  await passTime(60_000)
  expect(load).toHaveBeenCalledTimes(calls)
})

test("the loading of a component is tried again every five seconds, also without an event 'online'; meanwhile a fallback is shown", async () => {
  const { network, load } = networkAndLoad()
  const Late = lazyComponent(load, ({ name }) => `Nothing of ${name}`)
  await act(async () => reactRoot.render(<Late name="Bo" />))
  expect(text()).toBe('Nothing of Bo')
  await passTime(5000)
  expect(text()).toBe('Nothing of Bo')
  network.isGone = false
  await passTime(5000)
  expect(text()).toBe('Moves of Bo')
})

test('the loading of a component is not tried again after the component was unmounted', async () => {
  const { load } = networkAndLoad()
  const Late = lazyComponent(load)
  await act(async () => reactRoot.render(<Late name="Cy" />))
  await act(async () => reactRoot.render(null))
  const calls = load.mock.calls.length
  await passTime(60_000)
  await act(async () => dispatchEvent(new Event('online')))
  expect(load).toHaveBeenCalledTimes(calls)
})
