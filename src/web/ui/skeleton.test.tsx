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
const passTime = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

test('content that is ready at once is shown without a skeleton', () => {
  render(true)
  expect(document.body.textContent).toBe('content')
})

test('a page that loads shows nothing for the first 150 ms; content that is ready by then is shown without a skeleton', () => {
  render(false)
  passTime(140)
  expect(document.body.textContent).toBe('wait')
  render(true)
  expect(document.body.textContent).toBe('content')
})

test('a skeleton that is shown stays at least 300 ms', () => {
  render(false)
  passTime(150)
  expect(document.body.textContent).toBe('skeleton')
  passTime(100)
  render(true)
  passTime(190)
  expect(document.body.textContent).toBe('skeleton')
  passTime(20)
  expect(document.body.textContent).toBe('content')
})

test('content that is ready after the skeleton’s 300 ms is shown at once', () => {
  render(false)
  passTime(1000)
  render(true)
  passTime(0)
  expect(document.body.textContent).toBe('content')
})

test('content that is no longer ready is not shown: after 150 ms there is a skeleton, unless the content is ready again', () => {
  render(true)
  render(false)
  expect(document.body.textContent).toBe('wait')
  render(true)
  expect(document.body.textContent).toBe('content')
  render(false)
  passTime(150)
  expect(document.body.textContent).toBe('skeleton')
})
