// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { toast, toastStore } from '#web/ui/toast.ts'
import { EditText } from './edit-text.tsx'
import { EditedContentContext } from './edited-content.ts'
import { useChoice } from './use-choice.ts'

renderInPage()
afterEach(() => toast.dismiss())

const field = () => document.querySelector('input')
const shownToast = () => {
  const { kind, title, description } = toastStore.get() ?? {}
  return [kind, title, description]
}
const inlineError = () => document.querySelector('[role=alert]')?.textContent
const closePanel = () => act(() => reactRoot.render(null))

/** Returns a function that saves a value, and a function that lets the server refuse it. */
function heldSave() {
  const held: ((refusal: string) => void)[] = []
  const onSave = () => new Promise<string>((resolve) => held.push(resolve))
  return { onSave, refuse: (refusal: string) => held[0]?.(refusal) }
}

/** Presses the value and types a text over it. */
function typeText(text: string): void {
  act(() => document.querySelector('button')?.click())
  act(() => {
    // React notices a new value only if the setter of the prototype has set it.
    Reflect.set(HTMLInputElement.prototype, 'value', text, field())
    field()?.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

test('if a text is refused after its panel was closed, a toast names the field; in an open panel, the field shows the error', async () => {
  const taken = 'Another contact has this email address: Mei Tan.'
  for (const isClosed of [false, true]) {
    const { onSave, refuse } = heldSave()
    act(() => reactRoot.render(<EditText key={`${isClosed}`} label="Email" value="" onSave={onSave} />))
    typeText('mei@copperline.example')
    act(() => field()?.blur())
    if (isClosed) closePanel()
    await act(async () => refuse(taken))
    expect(inlineError()).toBe(isClosed ? undefined : taken)
    if (!isClosed) expect(toastStore.get()).toBeNull()
    if (!isClosed)
      act(() => void field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))
  }
  expect(shownToast()).toEqual(['error', 'Email was not saved', taken])
})

test('if a panel is closed while a field has an invalid text, a toast names the field and the mistake', () => {
  const check = (text: string) => (/^\d*$/.test(text) ? null : 'This is not an amount')
  act(() => reactRoot.render(<EditText label="Amount" value="5" check={check} onSave={() => {}} />))
  typeText('12,4x')
  closePanel()
  expect(shownToast()).toEqual(['error', 'Amount was not saved', 'This is not an amount'])
})

test('if a choice is refused after its panel was closed, a toast names the field', async () => {
  const { onSave, refuse } = heldSave()
  function Priority() {
    const { choose } = useChoice('Priority', 'normal', onSave)
    return <button type="button" onClick={() => choose('high')} />
  }
  act(() => reactRoot.render(<Priority />))
  act(() => document.querySelector('button')?.click())
  closePanel()
  await act(async () => refuse('Task no longer exists.'))
  expect(shownToast()).toEqual(['error', 'Priority was not saved', 'Task no longer exists.'])
})

test('the action beside a refusal discards the text also if it removes the field at once', async () => {
  const saved: string[] = []
  const onSave = (text: string) => {
    saved.push(text)
    return Promise.resolve('Another contact has this email address.')
  }
  const action = { label: 'Open', run: () => reactRoot.render(null) }
  act(() => reactRoot.render(<EditText label="Email" value="" onSave={onSave} errorAction={action} />))
  typeText('mei@copperline.example')
  await act(async () => field()?.blur())
  act(() => document.querySelector('button')?.click())
  expect(field()).toBeNull()
  expect(saved).toEqual(['mei@copperline.example'])
  expect(toastStore.get()).toBeNull()
})

test('the toast names the record whose field was not saved', async () => {
  const { onSave, refuse } = heldSave()
  act(() =>
    reactRoot.render(
      <EditedContentContext value={{ name: 'Owen Hart', isDeleted: false }}>
        <EditText label="Email" value="" onSave={onSave} />
      </EditedContentContext>,
    ),
  )
  typeText('mei@copperline.example')
  act(() => field()?.blur())
  closePanel()
  await act(async () => refuse('This email address is taken.'))
  expect(shownToast()).toEqual(['error', 'Email was not saved', 'Owen Hart: This email address is taken.'])
})

test('if the person deletes the record, its fields save no text that is still in them, and show no error', async () => {
  const { onSave, refuse } = heldSave()
  const saved: string[] = []
  const record = (isDeleted: boolean) => (
    <EditedContentContext value={{ name: 'Owen Hart', isDeleted }}>
      <EditText
        label="Email"
        value=""
        onSave={(text) => {
          saved.push(text)
          return onSave()
        }}
      />
    </EditedContentContext>
  )
  const deleteRecord = () => {
    act(() => reactRoot.render(record(true)))
    closePanel()
  }
  act(() => reactRoot.render(record(false)))
  typeText('mei@copperline.example')
  deleteRecord()
  expect(saved).toEqual([])
  act(() => reactRoot.render(record(false)))
  typeText('mei@copperline.example')
  act(() => field()?.blur())
  deleteRecord()
  await act(async () => refuse('This email address is taken.'))
  expect(saved).toEqual(['mei@copperline.example'])
  expect(toastStore.get()).toBeNull()
})
