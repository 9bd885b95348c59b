// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openLoneTab, putRows, untilIdle, type LoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { brandFieldsOf } from '#web/data/brand-fields.ts'
import { FieldDialog } from './field-dialog.tsx'

renderInPage()

const writeLine = 'PATCH /rest/v1/custom_fields'
const small = { id: 'small', label: 'Small' }
const large = { id: 'large', label: 'Large' }
const size = {
  id: 'size',
  table: 'contacts',
  key: 'size',
  label: 'Size',
  type: 'choice',
  options: [small, large],
  currency: null,
  required: false,
  position: 1,
  retired_at: null,
}

/** Opens the form of the field 'Size'. */
async function openForm() {
  const tab = await openLoneTab()
  putRows(tab.data, 'custom_fields', size)
  const [field] = brandFieldsOf(tab.device, 'contacts')
  const onClose = vi.fn()
  await act(async () => {
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <FieldDialog open edit={{ field: field ?? null }} table="contacts" one="contact" onClose={onClose} />
      </DeviceContext>,
    )
    await untilIdle()
  })
  return { tab, onClose }
}

const optionInputs = () => [...document.querySelectorAll<HTMLInputElement>('fieldset input')]

const pressEnter = (input: HTMLInputElement | undefined, init: KeyboardEventInit = {}) =>
  act(() => {
    input?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }))
  })

const removeOption = (place: number) =>
  act(() => document.querySelector<HTMLElement>(`[aria-label="Remove option ${place}"]`)?.click())

async function save({ network }: LoneTab) {
  await act(async () => {
    document.querySelector<HTMLElement>('button[type=submit]')?.click()
    await untilIdle()
  })
  return network.of(writeLine).map(({ body }) => body)
}

test('a form without changes sends nothing, so that the change of a colleague stays', async () => {
  const { tab, onClose } = await openForm()
  putRows(tab.data, 'custom_fields', { ...size, label: 'Company size', required: true })
  expect(await save(tab)).toEqual([])
  expect(onClose).toHaveBeenCalledOnce()
})

test('an option is removed from the current options, which a colleague has changed', async () => {
  const { tab } = await openForm()
  const medium = { id: 'medium', label: 'Medium' }
  putRows(tab.data, 'custom_fields', { ...size, options: [small, medium, { ...large, label: 'Big' }], required: true })
  removeOption(1)
  expect(await save(tab)).toEqual([{ options: [medium, { ...large, label: 'Big' }] }])
})

test('Enter adds an option, but not while it confirms a word of an input method', async () => {
  await openForm()
  pressEnter(optionInputs()[0], { isComposing: true })
  expect(optionInputs().map(({ value }) => value)).toEqual(['Small', 'Large'])
  pressEnter(optionInputs()[0])
  expect(optionInputs().map(({ value }) => value)).toEqual(['Small', '', 'Large'])
})

test('a name that a colleague has changed meanwhile is replaced only by a second press of Save', async () => {
  const { tab, onClose } = await openForm()
  const nameInput = document.querySelector<HTMLInputElement>('[role=dialog] input[data-autofocus]')
  act(() => {
    // React notices a new value only if the setter of the prototype has set it.
    Reflect.set(HTMLInputElement.prototype, 'value', 'Headcount', nameInput)
    nameInput?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const errorText = () => document.getElementById(nameInput?.getAttribute('aria-describedby') ?? '')?.textContent
  putRows(tab.data, 'custom_fields', { ...size, label: 'Company size' })
  expect(await save(tab)).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
  expect(errorText()).toBe('A colleague changed this to “Company size” meanwhile. Save again to keep your change.')
  // The form has not shown the newer name yet. The colleague has also retired the field.
  putRows(tab.data, 'custom_fields', { ...size, label: 'Staff', retired_at: '2026-11-20T09:31:00+00:00' })
  expect(await save(tab)).toEqual([])
  expect(errorText()).toBe('A colleague changed this to “Staff” meanwhile. Save again to keep your change.')
  expect(await save(tab)).toEqual([{ label: 'Headcount' }])
})
