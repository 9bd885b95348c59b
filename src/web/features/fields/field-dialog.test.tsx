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
  currency: null as string | null,
  required: false,
  position: 1,
  retired_at: null,
}

const spend = { ...size, id: 'spend', key: 'spend', label: 'Spend', type: 'money', options: [], currency: 'GBP' }

/** Opens the form of a field. */
async function openForm(row = size) {
  const tab = await openLoneTab()
  putRows(tab.data, 'custom_fields', row)
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

const pressItem = (role: string, text: string) =>
  act(() =>
    [...document.querySelectorAll<HTMLElement>(`[role=dialog] [role=${role}]`)]
      .find(({ textContent }) => textContent === text)
      ?.click(),
  )

function chooseCurrency(from: string, to: string) {
  pressItem('combobox', from)
  pressItem('option', to)
}

const warnings = () => [...document.querySelectorAll('p.text-danger')].map(({ textContent }) => textContent)

test('a new currency, which does not convert the stored values, is saved only by a second press of Save', async () => {
  const { tab, onClose } = await openForm(spend)
  chooseCurrency('GBP', 'EUR')
  expect(await save(tab)).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
  expect(warnings()).toEqual(['Values stay as they are: 500 GBP becomes 500 EUR. Save again to change the currency.'])
  // The warning is for this currency only.
  chooseCurrency('EUR', 'USD')
  expect(warnings()).toEqual([])
  expect(await save(tab)).toEqual([])
  expect(warnings()).toEqual(['Values stay as they are: 500 GBP becomes 500 USD. Save again to change the currency.'])
  expect(await save(tab)).toEqual([{ currency: 'USD' }])
})

test('a form whose currency is chosen and chosen back is saved at once', async () => {
  const { tab, onClose } = await openForm(spend)
  chooseCurrency('GBP', 'EUR')
  chooseCurrency('EUR', 'GBP')
  expect(await save(tab)).toEqual([])
  expect(onClose).toHaveBeenCalledOnce()
})

test('a new currency that a colleague has replaced meanwhile warns of both', async () => {
  const { tab } = await openForm(spend)
  chooseCurrency('GBP', 'EUR')
  putRows(tab.data, 'custom_fields', { ...spend, currency: 'USD' })
  expect(await save(tab)).toEqual([])
  expect(warnings()).toEqual([
    'A colleague changed this to “USD” meanwhile. Values stay as they are: 500 USD becomes 500 EUR. Save again to change the currency.',
  ])
  expect(await save(tab)).toEqual([{ currency: 'EUR' }])
})
