// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { useSkeleton } from './skeleton.tsx'

renderInPage({ timers: 'fake' })

function Probe({ ready }: { ready: boolean }) {
  return useSkeleton(ready)
}

const render = (ready: boolean) => act(() => reactRoot.render(<Probe ready={ready} />))
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('content that is ready at once is shown without a skeleton', () => {
  render(true)
  expect(document.body.textContent).toBe('content')
})

test('a page that loads shows nothing for the first 150 ms; content that is ready by then is shown without a skeleton', () => {
  render(false)
  pass(140)
  expect(document.body.textContent).toBe('wait')
  render(true)
  expect(document.body.textContent).toBe('content')
})

test('a skeleton that is shown stays at least 300 ms', () => {
  render(false)
  pass(150)
  expect(document.body.textContent).toBe('skeleton')
  pass(100)
  render(true)
  pass(190)
  expect(document.body.textContent).toBe('skeleton')
  pass(20)
  expect(document.body.textContent).toBe('content')
})

test('content that is ready after the skeleton’s 300 ms is shown at once', () => {
  render(false)
  pass(1000)
  render(true)
  pass(0)
  expect(document.body.textContent).toBe('content')
})
