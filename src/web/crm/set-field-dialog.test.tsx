// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { toast, toastStore } from '#web/ui/toast.ts'
import { SetFieldButton } from './set-field-button.tsx'
// Loaded in advance, because `untilIdle` does not wait until files are loaded.
import './set-field-dialog.tsx'

renderInPage()

const fieldOf = (label: string, position: number) => ({
  id: label.toLowerCase(),
  table: 'contacts',
  key: label.toLowerCase(),
  label,
  type: 'text',
  options: [] as { id: string; label: string; retired: boolean }[],
  currency: null,
  required: false,
  position,
  retired_at: null,
})
const [seats, region] = [fieldOf('Seats', 1), fieldOf('Region', 2)]
const retired = (field: typeof seats) => ({ ...field, version: 2, retired_at: '2026-11-20T09:31:00+00:00' })

/** Opens the dialog for two contacts of a brand with these custom fields. */
async function openDialog(...fields: (typeof seats)[]) {
  const tab = await openLoneTab()
  putRows(tab.data, 'custom_fields', ...fields)
  const onSet = vi.fn()
  const render = () =>
    act(async () => {
      reactRoot.render(
        <DeviceContext value={tab.device}>
          <SetFieldButton table="contacts" count={2} onSet={onSet} />
        </DeviceContext>,
      )
      await untilIdle()
    })
  // A new render reads the rows at once. Without it, they would be shown after a delay.
  const put = (
    row: typeof seats | (Omit<typeof seats, 'retired_at'> & { version: number; retired_at: string | null }),
  ) => {
    putRows(tab.data, 'custom_fields', row)
    return render()
  }
  await render()
  await press(document.querySelector('button'))
  return { onSet, put }
}

const press = (element: Element | null | undefined) =>
  act(async () => {
    if (element instanceof HTMLElement) element.click()
    await untilIdle()
  })
const combobox = () => document.querySelector('[role=dialog] [role=combobox]')
const fieldError = () => document.getElementById(combobox()?.getAttribute('aria-describedby') ?? '')?.textContent
const valueInput = () => document.querySelector<HTMLInputElement>('[role=dialog] input:not([type=checkbox])')
const submit = () => press(document.querySelector('[role=dialog] button[type=submit]'))

async function choose(label: string) {
  await press(combobox())
  await press([...document.querySelectorAll('[role=option]')].find(({ textContent }) => textContent === label))
}

const typeValue = (text: string) =>
  act(() => {
    // React notices a new value only if the setter of the prototype has set it.
    Reflect.set(HTMLInputElement.prototype, 'value', text, valueInput())
    valueInput()?.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('if the chosen field is retired while the dialog is open, the entered value is not written into another field', async () => {
  const { onSet, put } = await openDialog(seats, region)
  await choose('Seats')
  typeValue('12')
  await put(retired(seats))
  expect(fieldError()).toBe('“Seats” was retired meanwhile.')
  expect(valueInput()).toBeNull()
  await submit()
  expect(onSet).not.toHaveBeenCalled()
  await choose('Region')
  expect(fieldError()).toBeUndefined()
  expect(valueInput()?.value).toBe('')
  typeValue('North')
  await submit()
  expect(onSet.mock.calls).toMatchObject([[{ id: 'region' }, 'North']])
})

test('the only field is chosen when the dialog opens, and stays chosen if a colleague adds another one', async () => {
  const { onSet, put } = await openDialog(region)
  typeValue('North')
  await put(seats)
  await press(combobox())
  expect(document.querySelectorAll('[role=option]')).toHaveLength(2)
  expect(valueInput()?.value).toBe('North')
  await submit()
  expect(onSet.mock.calls).toMatchObject([[{ id: 'region' }, 'North']])
})

test('the dialog stays open if a colleague retires the only field', async () => {
  const { onSet, put } = await openDialog(region)
  typeValue('North')
  await put(retired(region))
  expect(fieldError()).toBe('“Region” was retired meanwhile.')
  await submit()
  expect(onSet).not.toHaveBeenCalled()
  await press([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel'))
  expect(document.querySelector('button')).toBeNull()
})

test('an option that a colleague retires after it was chosen is not set', async () => {
  const options = [
    { id: 's', label: 'Small', retired: false },
    { id: 'l', label: 'Large', retired: false },
  ]
  const size = { ...fieldOf('Size', 1), type: 'choice', options }
  const { onSet, put } = await openDialog(size)
  const valueBox = () => [...document.querySelectorAll('[role=dialog] [role=combobox]')][1]
  await press(valueBox())
  await press([...document.querySelectorAll('[role=option]')].find(({ textContent }) => textContent === 'Small'))
  const withoutSmall = options.map((option) => ({ ...option, retired: option.id === 's' }))
  await put({ ...size, version: 2, options: withoutSmall })
  await submit()
  expect(onSet).not.toHaveBeenCalled()
})

test('a field that becomes required is not emptied, although its checkbox was ticked before', async () => {
  const { onSet, put } = await openDialog(region)
  await press(document.querySelector('[role=dialog] input[type=checkbox]'))
  await put({ ...region, version: 2, required: true })
  await submit()
  expect(onSet).not.toHaveBeenCalled()
  typeValue('North')
  await submit()
  expect(onSet.mock.calls).toMatchObject([[{ id: 'region' }, 'North']])
})

test('if all selected records are deleted while the dialog is open, a toast says so', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'custom_fields', region)
  putRows(data, 'contacts', { id: 'mei' }, { id: 'noor' })
  const show = (ids: readonly string[]) =>
    act(async () => {
      reactRoot.render(
        <DeviceContext value={device}>
          {ids.length > 0 && <SetFieldButton table="contacts" count={ids.length} ids={ids} onSet={() => {}} />}
        </DeviceContext>,
      )
      await untilIdle()
    })
  await show(['mei', 'noor'])
  await press(document.querySelector('button'))
  expect(combobox()).not.toBeNull()
  data.tables.contacts.write([], ['mei'])
  await show(['noor'])
  expect(toastStore.get()).toBeNull()
  data.tables.contacts.write([], ['noor'])
  await show([])
  expect(toastStore.get()).toMatchObject({
    title: 'The selected contact was deleted meanwhile',
    description: 'No field was set.',
  })
  act(() => toast.dismiss())
})

test('a closed dialog reports nothing, also if the selected record is not on this device', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'custom_fields', region)
  putRows(data, 'contacts', { id: 'mei' })
  for (const id of ['mei', 'not-on-this-device']) {
    act(() =>
      reactRoot.render(
        <DeviceContext value={device}>
          <SetFieldButton table="contacts" count={1} ids={[id]} onSet={() => {}} />
        </DeviceContext>,
      ),
    )
    await press(document.querySelector('button'))
    await press([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel'))
    expect(combobox()).toBeNull()
    expect(toastStore.get()).toBeNull()
  }
})
