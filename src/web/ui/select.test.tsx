// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { Combobox } from './combobox.tsx'
import type { Choice } from '#web/lib/choice.ts'
import { Field } from './field.tsx'
import { Select } from './select.tsx'

renderInPage()

const stages = ['Incoming', 'Qualified', 'Won'].map((label) => ({ value: label.toLowerCase(), label }))
const people: Choice[] = [
  { id: '1', label: 'Amara Okafor' },
  { id: '2', label: 'Mei Tanaka' },
]

function Stage() {
  const [value, setValue] = useState('incoming')
  return (
    <Field label="Stage">
      <Select value={value} onChange={setValue} options={stages} />
    </Field>
  )
}

function Contact() {
  const [value, setValue] = useState<Choice | null>(null)
  const [text, setText] = useState('')
  const options = people.filter((person) => person.label.toLowerCase().includes(text.toLowerCase()))
  return (
    <Field label="Contact">
      <Combobox value={value} onChange={setValue} onSearch={setText} options={options} />
    </Field>
  )
}

const combobox = () => document.querySelector('[role=combobox]') as HTMLInputElement
const pressKey = (key: string, init: KeyboardEventInit = {}) =>
  act(() => {
    combobox().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }))
  })
const press = (...keys: string[]) => {
  for (const key of keys) pressKey(key)
}
const activeText = () => document.getElementById(combobox().getAttribute('aria-activedescendant') ?? '')?.textContent

test('keys open a select, move in its list and choose an option; Escape changes nothing', () => {
  act(() => reactRoot.render(<Stage />))
  expect(combobox().textContent).toBe('Incoming')
  press('Enter', 'ArrowDown')
  expect(activeText()).toBe('Qualified')
  press('Escape')
  expect(combobox().textContent).toBe('Incoming')
  press('ArrowDown', 'End', 'Enter')
  expect(combobox().textContent).toBe('Won')
  expect(combobox().getAttribute('aria-expanded')).toBe('false')
})

test('a letter opens a closed select and moves to its option; only Enter chooses it', () => {
  act(() => reactRoot.render(<Stage />))
  press('q')
  expect(activeText()).toBe('Qualified')
  expect(combobox().textContent).toBe('Incoming')
  press('Enter')
  expect(combobox().textContent).toBe('Qualified')
})

test('the accessible name of a select consists of its label and its value', () => {
  act(() => reactRoot.render(<Stage />))
  const labelElements = (combobox().getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id))
  expect(labelElements.map((element) => element?.textContent)).toEqual(['Stage', 'Incoming'])
})

test('a combobox accepts only an option that was chosen, and shows it', () => {
  act(() => reactRoot.render(<Contact />))
  act(() => combobox().click())
  expect(document.querySelectorAll('[role=option]')).toHaveLength(2)
  press('ArrowDown')
  expect(activeText()).toBe('Mei Tanaka')
  press('Escape')
  expect(combobox().value).toBe('')
  act(() => combobox().click())
  press('ArrowDown', 'Enter')
  expect(combobox().value).toBe('Mei Tanaka')
  act(() => document.querySelector<HTMLElement>('[aria-label=Clear]')?.click())
  expect(combobox().value).toBe('')
})

test('keys of an input method neither choose an option of a combobox nor close its list', () => {
  act(() => reactRoot.render(<Contact />))
  act(() => combobox().click())
  press('ArrowDown')
  for (const key of ['Enter', 'Escape', 'ArrowUp']) pressKey(key, { isComposing: true })
  // In Safari, Enter that takes the suggestion comes after the composition.
  pressKey('Enter', { keyCode: 229 })
  expect(activeText()).toBe('Mei Tanaka')
  press('Enter')
  expect(combobox().value).toBe('Mei Tanaka')
})
