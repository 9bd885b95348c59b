// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { announce, prepareLiveRegions } from './live-region.ts'
import { toast } from './toast.ts'
import { Toaster } from './toaster.tsx'

renderInPage({ timers: 'fake' })
beforeEach(() => {
  prepareLiveRegions()
  act(() => reactRoot.render(<Toaster />))
})
afterEach(() => act(() => toast.dismiss()))

const shown = () => document.querySelector('[data-toast]')?.textContent ?? null
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const point = (type: 'pointerover' | 'pointerout') =>
  act(() => {
    document.querySelector('[data-toast]')?.dispatchEvent(new PointerEvent(type, { bubbles: true }))
  })

test('a toast stays for five seconds, and a toast with an action for ten', () => {
  act(() => toast.success('Deal created'))
  pass(4900)
  expect(shown()).toBe('Deal created')
  pass(200)
  expect(shown()).toBeNull()
  act(() => toast.success('Deal moved successfully', { action: { label: 'Undo', run: () => {} } }))
  pass(9900)
  expect(shown()).toContain('Undo')
  pass(200)
  expect(shown()).toBeNull()
})

test('one toast is shown at a time, and a new one replaces the last one', () => {
  act(() => toast.success('First'))
  pass(3000)
  act(() => toast.error('Second', { description: 'Because.' }))
  expect(document.querySelectorAll('[data-toast]')).toHaveLength(1)
  pass(4900)
  expect(shown()).toBe('SecondBecause.')
})

test('a late toast of an earlier action does not replace the toast of a later action, unless it is an error', () => {
  const [first, second] = [toast.begin(), toast.begin()]
  act(() => second.success('Second moved'))
  act(() => first.success('First moved'))
  expect(shown()).toBe('Second moved')
  act(() => first.error('Error moving first'))
  expect(shown()).toBe('Error moving first')
  act(() => second.success('Second again'))
  expect(shown()).toBe('Second again')

  const mine = toast.begin()
  act(() => toast.success('Deal deleted', { action: { label: 'Undo', run: () => {} } }))
  act(() => mine.success('Mine moved'))
  expect(shown()).toContain('Deal deleted')
  pass(10_100)
  act(() => mine.success('Mine moved'))
  expect(shown()).toBe('Mine moved')
})

test('toasts about colleagues replace only each other, and any other toast replaces them', () => {
  const mine = toast.begin()
  act(() => void toast.news('Ana moved Roof to Won'))
  act(() => void toast.news('Ana moved 2 deals'))
  expect(shown()).toBe('Ana moved 2 deals')
  act(() => mine.success('Deal moved successfully'))
  expect(shown()).toBe('Deal moved successfully')
  act(() => void toast.news('Ana moved Floor to Won'))
  expect(shown()).toBe('Deal moved successfully')
})

test('the timer of a toast stops while the pointer is over it', () => {
  act(() => toast.success('Read me'))
  pass(4000)
  point('pointerover')
  pass(60_000)
  expect(shown()).toBe('Read me')
  point('pointerout')
  pass(1100)
  expect(shown()).toBeNull()
})

test('the action of a toast runs once, and closes the toast', () => {
  const run = vi.fn()
  act(() => toast.success('Task completed!', { action: { label: 'Undo', run } }))
  act(() => [...document.querySelectorAll('button')].find((button) => button.textContent === 'Undo')?.click())
  expect(run).toHaveBeenCalledOnce()
  expect(shown()).toBeNull()
})

test('a toast is announced politely, and an error assertively', () => {
  act(() => toast.error('Error moving deal', { description: 'Stage no longer exists.' }))
  pass(100)
  expect(document.querySelector('[aria-live=assertive]')?.textContent).toBe(
    'Error moving deal. Stage no longer exists.',
  )
  act(() => toast.success('Deal created'))
  pass(100)
  expect(document.querySelector('[aria-live=polite]')?.textContent).toBe('Deal created')
})

test('an announcement is removed from the live region after ten seconds, unless a newer one is there', () => {
  const region = () => document.getElementById('live-assertive')?.textContent
  act(() => toast.error('Error creating task', { description: 'No' }))
  act(() => void vi.advanceTimersByTime(9_000))
  expect(region()).toBe('Error creating task. No')
  act(() => toast.error('Another'))
  act(() => void vi.advanceTimersByTime(2_000))
  expect(region()).toBe('Another')
  act(() => void vi.advanceTimersByTime(9_000))
  expect(region()).toBe('')
})

test('an empty announcement removes the last announcement, also one that is about to be made; later announcements are made as usual', () => {
  const region = () => document.getElementById('live-polite')?.textContent
  act(() => toast.success('Contact added', { description: 'mei@copperline.example' }))
  pass(100)
  expect(region()).toBe('Contact added. mei@copperline.example')
  announce('')
  expect(region()).toBe('')
  act(() => toast.success('Deal created', { description: 'Acme renewal' }))
  announce('')
  pass(100)
  expect(region()).toBe('')
  act(() => toast.success('Signed in'))
  pass(100)
  expect(region()).toBe('Signed in')
})

test('the outcomes of a page’s actions are not shown after the page was left; outcomes of later actions are', () => {
  const begun = toast.begin()
  act(() => toast.success('Saved'))
  act(() => toast.leave())
  act(() => toast.error('Error creating deal'))
  act(() => toast.farewell('You are no longer a member of Acme.'))
  act(() => begun.error('Error moving deal'))
  expect(shown()).toBe('You are no longer a member of Acme.')
  act(() => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' })))
  act(() => begun.error('Error moving deal'))
  expect(shown()).toBe('You are no longer a member of Acme.')
  act(() => toast.success('Brand created'))
  expect(shown()).toBe('Brand created')
})
