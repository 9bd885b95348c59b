// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { formatDay } from '#web/lib/dates.ts'
import { toast, toastStore } from '#web/ui/toast.ts'
import { EditDate } from './edit-date.tsx'
import { EditMoney } from './edit-money.tsx'
import { EditMultiline } from './edit-multiline.tsx'
import { EditText } from './edit-text.tsx'
import { EditedContentContext } from './edited-content.ts'
import type { SaveResult } from './edit-row.tsx'

renderInPage({ timers: 'fake' })
let saved: string[]
beforeEach(() => {
  saved = []
  // Also the toast of a field that was removed after the former test.
  toast.dismiss()
})
afterEach(() => vi.restoreAllMocks())

const field = () => document.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
const warning = () => document.querySelector('[role=alert]')?.textContent
const shownValue = () => document.querySelector('[data-in-place]')?.textContent
const buttonOf = (text: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)
const press = (text: string) => act(async () => buttonOf(text)?.click())
const pressKey = (key: string) =>
  act(async () => void field()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
const open = () => act(() => document.querySelector<HTMLElement>('[data-in-place]')?.click())
const render = (content: ReactNode) => act(() => reactRoot.render(content))
const save = (text: string) => void saved.push(text)

/** Types a text over the value of the open field. */
function type(text: string): void {
  act(() => {
    const element = field()
    if (!element) throw new Error('No field is open')
    // React notices a new value only if the setter of the prototype has set it.
    Reflect.set(Object.getPrototypeOf(element), 'value', text, element)
    element.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Leaves the field, and waits for the warning. */
function leaveField(): void {
  act(() => field()?.blur())
  act(() => void vi.advanceTimersByTime(250))
}

const phone = (value: string, onSave: (text: string) => SaveResult = save) => (
  <EditedContentContext value={{ name: 'Owen Hart', isDeleted: false }}>
    <EditText label="Phone" value={value} onSave={onSave} check={(text) => (text === '?' ? 'Not a number' : null)} />
  </EditedContentContext>
)

/** Types 222 over 100, which somebody then changes to 333. */
function typeDuringChange(): void {
  render(phone('100'))
  open()
  type('222')
  render(phone('333'))
}

test("after the warning, leaving the field again does not overwrite the other value; 'Keep mine' does", async () => {
  typeDuringChange()
  leaveField()
  expect(warning()).toBe('Somebody changed this to “333” meanwhile.')
  act(() => field()?.focus())
  type('2222')
  leaveField()
  expect(saved).toEqual([])
  expect(field()?.value).toBe('2222')
  await press('Keep mine')
  expect(saved).toEqual(['2222'])
  expect(field()).toBeNull()
})

test('the warning appears when the press that left the field has ended, so that nothing moves under the pointer', () => {
  typeDuringChange()
  act(() => field()?.blur())
  expect([warning(), saved]).toEqual([undefined, []])
  act(() => void vi.advanceTimersByTime(250))
  expect(warning()).toContain('“333”')
})

test("'Show theirs' closes the field and shows the other value", async () => {
  typeDuringChange()
  leaveField()
  await press('Show theirs')
  expect([shownValue(), warning(), saved]).toEqual(['333', undefined, []])
  expect(document.activeElement).toBe(document.querySelector('[data-in-place]'))
  open()
  expect([field()?.value, warning()]).toEqual(['333', undefined])
})

test('Enter shows the warning at once, another one for each newer value, and then saves', async () => {
  typeDuringChange()
  await pressKey('Enter')
  expect(warning()).toBe('Somebody changed this to “333” meanwhile.')
  render(phone(''))
  await pressKey('Enter')
  expect([warning(), saved]).toEqual(['Somebody emptied this meanwhile.', []])
  await pressKey('Enter')
  expect(saved).toEqual(['222'])
})

test("'Keep mine' also saves the value that the field had when it was opened", async () => {
  typeDuringChange()
  await pressKey('Enter')
  type('100')
  await press('Keep mine')
  expect(saved).toEqual(['100'])
})

test.each([false, true])(
  "if a panel is closed after somebody changed the value, their value stays; a toast has both values and 'Keep mine' (warned before: %s)",
  (isWarned) => {
    typeDuringChange()
    if (isWarned) leaveField()
    else act(() => field()?.blur())
    render(null)
    act(() => void vi.advanceTimersByTime(250))
    expect(saved).toEqual([])
    const { kind, title, description, action } = toastStore.get() ?? {}
    expect([kind, title, description]).toEqual([
      'error',
      'Phone was not saved',
      'Owen Hart: Somebody changed this to “333” meanwhile. You typed “222”.',
    ])
    expect(action?.label).toBe('Keep mine')
    action?.run()
    expect(saved).toEqual(['222'])
  },
)

const money = (amount: number) => (
  <EditMoney
    label="Amount"
    amount={amount}
    currency="GBP"
    currencies={['GBP']}
    parse={(text, currency) => ({ amount: Number(text), currency, isNamed: false })}
    note={() => null}
    onSave={({ amount: to }) => save(String(to))}
  />
)
const day = (value: string) => <EditDate label="Closes" value={value} onSave={(to) => save(String(to))} />
const notes = (value: string) => <EditMultiline label="Notes" value={value} onSave={save} />
const size = (value: string) => (
  <EditText label="Size" value={value} display={(text) => `${text} people`} onSave={save} />
)

test.each([
  ['an amount', money(100), '222', money(333), '£333'],
  ['a date', day('2099-01-02'), '5 Jan 2099', day('2099-01-03'), formatDay('2099-01-03')],
  ['a text of several lines', notes('a'), 'b', notes(`c\nd ${'e'.repeat(99)}`), `c d ${'e'.repeat(76)}…`],
  ['a formatted text', size('10'), '20', size('30'), '30 people'],
])(
  'the warning shows %s as its row does, and a field that is left stays open',
  async (_, before, typed, after, shown) => {
    render(before)
    open()
    type(typed)
    render(after)
    leaveField()
    expect(warning()).toBe(`Somebody changed this to “${shown}” meanwhile.`)
    leaveField()
    expect([saved, field()?.value]).toEqual([[], typed])
    await press('Keep mine')
    expect(saved).toHaveLength(1)
  },
)

/** Hides the page as a change to another tab or app does, or as a reload does. */
function hidePage(): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => {
    dispatchEvent(new Event('beforeunload'))
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    dispatchEvent(new Event('pagehide'))
  })
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
}

test('when the page is hidden, the text of an open field is saved once, and the field stays open', () => {
  render(phone('100'))
  open()
  hidePage()
  expect(saved).toEqual([])
  type('222')
  hidePage()
  expect([saved, field()?.value]).toEqual([['222'], '222'])
  render(phone('222'))
  act(() => field()?.blur())
  expect([saved, field()]).toEqual([['222'], null])
})

test('a text that is typed after the page was hidden is saved without a warning, unless somebody else changes the value meanwhile', async () => {
  const savedText = Promise.resolve(null)
  const contact = (value: string) =>
    phone(value, (text) => {
      save(text)
      return savedText
    })
  for (const isChanged of [false, true]) {
    saved = []
    render(contact('100'))
    open()
    type('222')
    hidePage()
    render(contact('222'))
    await act(() => savedText)
    type('2223')
    if (isChanged) render(contact('333'))
    await pressKey('Enter')
    expect(saved).toEqual(isChanged ? ['222'] : ['222', '2223'])
    await act(() => savedText)
  }
  expect(warning()).toBe('Somebody changed this to “333” meanwhile.')
})

test('when the page is hidden, no value of another person is overwritten, and no error of an invalid text is shown', () => {
  typeDuringChange()
  hidePage()
  expect([saved, field()?.value, toastStore.get()]).toEqual([[], '222', null])
  type('?')
  hidePage()
  expect([saved, warning(), toastStore.get()]).toEqual([[], undefined, null])
})

test('if the text of a hidden page is refused, the open field shows the error beside what was typed meanwhile', async () => {
  const refusal = Promise.resolve('This number is taken.')
  render(phone('100', () => refusal))
  open()
  type('222')
  hidePage()
  type('2223')
  await act(() => refusal)
  expect([field()?.value, warning(), toastStore.get()]).toEqual(['2223', 'This number is taken.', null])
})

test('a field that loses the focus together with its window saves its text and stays open', () => {
  render(phone('100'))
  open()
  type('222')
  // The field stays the active element.
  act(() => void field()?.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
  expect([saved, field()?.value]).toEqual([['222'], '222'])
})
