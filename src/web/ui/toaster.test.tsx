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

const toastText = () => document.querySelector('[data-toast]')?.textContent ?? null
const passTime = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const point = (type: 'pointerover' | 'pointerout') =>
  act(() => {
    document.querySelector('[data-toast]')?.dispatchEvent(new PointerEvent(type, { bubbles: true }))
  })

test('a toast stays for five seconds, and a toast with an action for ten', () => {
  act(() => toast.success('Deal created'))
  passTime(4900)
  expect(toastText()).toBe('Deal created')
  passTime(200)
  expect(toastText()).toBeNull()
  act(() => toast.success('Deal moved successfully', { action: { label: 'Undo', run: () => {} } }))
  passTime(9900)
  expect(toastText()).toContain('Undo')
  passTime(200)
  expect(toastText()).toBeNull()
})

test('the reason why a page was left stays for five seconds, and with a description for fifteen', () => {
  act(() => toast.farewell('You are no longer a member of Acme.'))
  passTime(5100)
  expect(toastText()).toBeNull()
  act(() => toast.farewell('Another person has signed in', { description: 'Your changes are kept.' }))
  passTime(14_900)
  expect(toastText()).toBe('Another person has signed inYour changes are kept.')
  passTime(200)
  expect(toastText()).toBeNull()
})

test('one toast is shown at a time, and a new one replaces the last one', () => {
  act(() => toast.success('First'))
  passTime(3000)
  act(() => toast.error('Second', { description: 'Because.' }))
  expect(document.querySelectorAll('[data-toast]')).toHaveLength(1)
  passTime(4900)
  expect(toastText()).toBe('SecondBecause.')
})

test('a late toast of an earlier action does not replace the toast of a later action, unless it is an error', () => {
  const [first, second] = [toast.begin(), toast.begin()]
  act(() => second.success('Second moved'))
  act(() => first.success('First moved'))
  expect(toastText()).toBe('Second moved')
  act(() => first.error('Error moving first'))
  expect(toastText()).toBe('Error moving first')
  act(() => second.success('Second again'))
  expect(toastText()).toBe('Second again')

  const ownAction = toast.begin()
  act(() => toast.success('Deal deleted', { action: { label: 'Undo', run: () => {} } }))
  act(() => ownAction.success('Mine moved'))
  expect(toastText()).toContain('Deal deleted')
  passTime(10_100)
  act(() => ownAction.success('Mine moved'))
  expect(toastText()).toBe('Mine moved')
})

test('toasts about colleagues replace only each other, and any other toast replaces them', () => {
  const ownAction = toast.begin()
  act(() => void toast.news('Ana moved Roof to Won'))
  act(() => void toast.news('Ana moved 2 deals'))
  expect(toastText()).toBe('Ana moved 2 deals')
  act(() => ownAction.success('Deal moved successfully'))
  expect(toastText()).toBe('Deal moved successfully')
  act(() => void toast.news('Ana moved Floor to Won'))
  expect(toastText()).toBe('Deal moved successfully')
})

test('the timer of a toast stops while the pointer is over it', () => {
  act(() => toast.success('Read me'))
  passTime(4000)
  point('pointerover')
  passTime(60_000)
  expect(toastText()).toBe('Read me')
  point('pointerout')
  passTime(1100)
  expect(toastText()).toBeNull()
})

test('the timer of a toast stops while the focus is in it, also if the pointer leaves it then', () => {
  act(() => toast.success('Deal moved successfully', { below: <input /> }))
  const field = document.querySelector('input')
  point('pointerover')
  act(() => field?.focus())
  point('pointerout')
  passTime(60_000)
  expect(toastText()).toBe('Deal moved successfully')
  act(() => field?.blur())
  passTime(15_100)
  expect(toastText()).toBeNull()
})

test('the timer of a toast with choices stops while a dialog is open', async () => {
  const setDialogOpen = (isOpen: boolean) =>
    act(async () => void document.getElementById('root')?.toggleAttribute('inert', isOpen))
  act(() => toast.success('Deal moved successfully', { below: <button type="button">Price</button> }))
  passTime(10_000)
  await setDialogOpen(true)
  point('pointerout')
  passTime(60_000)
  expect(toastText()).toBe('Deal moved successfullyPrice')
  await setDialogOpen(false)
  passTime(4900)
  expect(toastText()).toBe('Deal moved successfullyPrice')
  passTime(200)
  expect(toastText()).toBeNull()
})

test('a dialog that opens or closes does not start the timer of a toast under the pointer or with the focus', async () => {
  const toggleDialog = () => act(async () => void document.getElementById('root')?.toggleAttribute('inert'))
  act(() => toast.success('Deal moved successfully', { below: <input /> }))
  act(() => document.querySelector('input')?.focus())
  await toggleDialog()
  await toggleDialog()
  passTime(60_000)
  expect(toastText()).toBe('Deal moved successfully')
  act(() => toast.success('Read me'))
  point('pointerover')
  await toggleDialog()
  passTime(60_000)
  expect(toastText()).toBe('Read me')
  point('pointerout')
  passTime(5100)
  expect(toastText()).toBeNull()
})

test('the action of a toast runs once, and closes the toast', () => {
  const run = vi.fn()
  act(() => toast.success('Task completed!', { action: { label: 'Undo', run } }))
  act(() => [...document.querySelectorAll('button')].find((button) => button.textContent === 'Undo')?.click())
  expect(run).toHaveBeenCalledOnce()
  expect(toastText()).toBeNull()
})

test('a toast is announced politely, and an error assertively', () => {
  act(() => toast.error('Error moving deal', { description: 'Stage no longer exists.' }))
  passTime(100)
  expect(document.querySelector('[aria-live=assertive]')?.textContent).toBe(
    'Error moving deal. Stage no longer exists.',
  )
  act(() => toast.success('Deal created'))
  passTime(100)
  expect(document.querySelector('[aria-live=polite]')?.textContent).toBe('Deal created')
})

test('an announcement has a full stop between title and description, unless the title ends with a mark of its own', () => {
  for (const [title, announced] of [
    ['Task completed', 'Task completed. Weekly report'],
    ['Task completed!', 'Task completed! Weekly report'],
    ['Is it done?', 'Is it done? Weekly report'],
    ['Still sending…', 'Still sending… Weekly report'],
    ['It is done.', 'It is done. Weekly report'],
  ] as const) {
    act(() => toast.success(title, { description: 'Weekly report' }))
    passTime(100)
    expect(document.getElementById('live-polite')?.textContent).toBe(announced)
  }
})

test('an announcement is removed from the live region after ten seconds, unless a newer one is there', () => {
  const announcement = () => document.getElementById('live-assertive')?.textContent
  act(() => toast.error('Error creating task', { description: 'No' }))
  act(() => void vi.advanceTimersByTime(9_000))
  expect(announcement()).toBe('Error creating task. No')
  act(() => toast.error('Another'))
  act(() => void vi.advanceTimersByTime(2_000))
  expect(announcement()).toBe('Another')
  act(() => void vi.advanceTimersByTime(9_000))
  expect(announcement()).toBe('')
})

test('an empty announcement removes the last announcement, also one that is about to be made; later announcements are made as usual', () => {
  const announcement = () => document.getElementById('live-polite')?.textContent
  act(() => toast.success('Contact added', { description: 'mei@copperline.example' }))
  passTime(100)
  expect(announcement()).toBe('Contact added. mei@copperline.example')
  announce('')
  expect(announcement()).toBe('')
  act(() => toast.success('Deal created', { description: 'Acme renewal' }))
  announce('')
  passTime(100)
  expect(announcement()).toBe('')
  act(() => toast.success('Signed in'))
  passTime(100)
  expect(announcement()).toBe('Signed in')
})

test('the outcomes of a page’s actions are not shown after the page was left; outcomes of later actions are', () => {
  const earlierAction = toast.begin()
  act(() => toast.success('Saved'))
  act(() => toast.leave())
  act(() => toast.error('Error creating deal'))
  act(() => toast.farewell('You are no longer a member of Acme.'))
  act(() => earlierAction.error('Error moving deal'))
  expect(toastText()).toBe('You are no longer a member of Acme.')
  act(() => void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' })))
  act(() => earlierAction.error('Error moving deal'))
  expect(toastText()).toBe('You are no longer a member of Acme.')
  act(() => toast.success('Brand created'))
  expect(toastText()).toBe('Brand created')
})
