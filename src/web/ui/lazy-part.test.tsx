// @vitest-environment happy-dom
import { act, Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, root } from '#tests/harness/react-root.ts'
import { lazyPart } from './lazy-part.tsx'

renderInPage({ timers: 'fake' })

const Moves = ({ name }: { name: string }) => <b>Moves of {name}</b>
const text = () => document.body.textContent
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** The code of a part that cannot be loaded while `isGone`. */
function gone() {
  const network = { isGone: true }
  const load = vi.fn(async () => {
    if (network.isGone) throw new TypeError('Failed to fetch dynamically imported module')
    return Moves
  })
  return { network, load }
}

test('a part whose code cannot be loaded leaves the rest of the page alone, and comes once the network is back', async () => {
  const { network, load } = gone()
  const Part = lazyPart(load)
  const page = (
    <>
      Board
      <Suspense fallback="…">
        <Part name="Ana" />
      </Suspense>
    </>
  )
  await act(async () => root.render(page))
  expect(text()).toBe('Board')
  network.isGone = false
  await act(async () => dispatchEvent(new Event('online')))
  expect(text()).toBe('BoardMoves of Ana')
  const calls = load.mock.calls.length
  await later(60_000)
  expect(load).toHaveBeenCalledTimes(calls)
})

test('where the browser does not notice that the server is back, it is tried again after a while; something else stands in its place', async () => {
  const { network, load } = gone()
  const Part = lazyPart(load, ({ name }) => `Nothing of ${name}`)
  await act(async () => root.render(<Part name="Bo" />))
  expect(text()).toBe('Nothing of Bo')
  await later(5000)
  expect(text()).toBe('Nothing of Bo')
  network.isGone = false
  await later(5000)
  expect(text()).toBe('Moves of Bo')
})

test('a part that is not wanted any more is not tried again', async () => {
  const { load } = gone()
  const Part = lazyPart(load)
  await act(async () => root.render(<Part name="Cy" />))
  await act(async () => root.render(null))
  const calls = load.mock.calls.length
  await later(60_000)
  await act(async () => dispatchEvent(new Event('online')))
  expect(load).toHaveBeenCalledTimes(calls)
})
