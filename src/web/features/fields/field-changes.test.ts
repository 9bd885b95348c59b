import { expect, test } from 'vitest'
import type { CustomField } from '#web/data/server/rows.ts'
import { serverRow } from '#tests/harness/lone-tab.ts'
import { fieldChanges, fieldConflicts, type FieldValues } from './field-changes.ts'

type Option = CustomField['options'][number]

const option = (id: string, label = id.toUpperCase()): Option => ({ id, label })
const [a, b, c] = [option('a'), option('b'), option('c')]

const fieldOf = (parts: Partial<CustomField>): CustomField =>
  serverRow({
    id: 'size',
    created_by: null,
    table: 'contacts' as const,
    key: 'size',
    label: 'Size',
    type: 'choice' as const,
    options: [a, b, c],
    currency: null,
    required: false,
    position: 1,
    retired_at: null,
    ...parts,
  })

const opened = fieldOf({ options: [a, b, c, { ...option('old'), retired: true }] })
const form = { label: 'Size', options: [a, b, c], currency: null, required: false }

test('only changed values are sent, so that a change of a colleague to another value stays', () => {
  const current = fieldOf({ label: 'Company size', options: [a, b], required: true })
  expect(fieldChanges(opened, current, form)).toEqual({})
  expect(fieldChanges(opened, current, { ...form, required: true })).toEqual({ required: true })
  expect(fieldChanges(opened, current, { ...form, label: 'Staff' })).toEqual({ label: 'Staff' })
  expect(fieldChanges(fieldOf({ currency: 'GBP' }), current, { ...form, currency: 'EUR' })).toEqual({ currency: 'EUR' })
})

test.each<[string, Option[], Option[], Option[]]>([
  [
    'an option that a colleague has added stays',
    [a, option('b', 'Bee'), c],
    [a, b, c, option('d')],
    [a, option('b', 'Bee'), c, option('d')],
  ],
  ['an option that a colleague has removed stays removed', [b, a, c], [a, b], [b, a]],
  [
    'an option that a colleague has removed and the person has renamed comes back',
    [a, b, option('c', 'Sea')],
    [a, b],
    [a, b, option('c', 'Sea')],
  ],
  [
    'an option that a colleague has renamed keeps its name',
    [b, c, a],
    [a, option('b', 'Bee'), c],
    [option('b', 'Bee'), c, a],
  ],
  [
    'a new order of a colleague stays if the person renames an option',
    [a, option('b', 'Bee'), c],
    [c, b, a],
    [c, option('b', 'Bee'), a],
  ],
  ['a new order of a colleague stays if the person removes an option', [a, c], [c, b, a], [c, a]],
  [
    'a new order of a colleague stays if the person adds an option; the new option comes after the option that was before it',
    [a, option('e'), b, c],
    [c, b, a],
    [c, b, a, option('e')],
  ],
  ['the order that the person has chosen is kept', [b, a, c], [c, b, a], [b, a, c]],
  [
    'in the order that the person has chosen, an option that a colleague has added comes after the option that was before it',
    [c, a, b],
    [a, option('d'), b, c],
    [c, a, option('d'), b],
  ],
  [
    'the name that the person has typed is kept',
    [a, option('b', 'Bean'), c],
    [a, option('b', 'Bee'), c],
    [a, option('b', 'Bean'), c],
  ],
  [
    'an option that the person has removed is removed, and a new one is added',
    [option('e'), a, c],
    [a, option('b', 'Bee'), c],
    [option('e'), a, c],
  ],
])('%s', (_, options, current, expected) => {
  expect(fieldChanges(opened, fieldOf({ options: current }), { ...form, options })).toEqual({ options: expected })
})

test.each<[string, Partial<FieldValues>, Partial<CustomField>, ReturnType<typeof fieldConflicts>]>([
  [
    'a name that both have changed',
    { label: 'Drink' },
    { label: 'Espresso' },
    { label: 'A colleague changed this to “Espresso” meanwhile.' },
  ],
  ['a name that only the colleague has changed', {}, { label: 'Espresso' }, {}],
  ['a name that both have changed to the same', { label: 'Espresso' }, { label: 'Espresso' }, {}],
  [
    'a currency',
    { currency: 'USD' },
    { currency: 'EUR' },
    { currency: 'A colleague changed this to “EUR” meanwhile.' },
  ],
  ['a currency that only the person has changed', { currency: 'USD' }, {}, {}],
  [
    'an option that both have renamed',
    { options: [a, option('b', 'Bee'), c] },
    { options: [a, option('b', 'Bean'), c] },
    { options: 'A colleague changed “B” to “Bean” meanwhile.' },
  ],
  [
    'an option that both have renamed to the same',
    { options: [a, option('b', 'Bee'), c] },
    { options: [a, option('b', 'Bee'), c] },
    {},
  ],
  [
    'an option that the person has removed and a colleague has renamed',
    { options: [a, c] },
    { options: [a, option('b', 'Bean'), c] },
    { options: 'A colleague changed “B” to “Bean” meanwhile.' },
  ],
  [
    'an option that the person has renamed and a colleague has removed',
    { options: [a, option('b', 'Bee'), c] },
    { options: [a, { ...b, retired: true }, c] },
    { options: 'A colleague removed “B” meanwhile.' },
  ],
  ['two different options', { options: [a, option('b', 'Bee'), c] }, { options: [option('a', 'Ace'), b, c] }, {}],
  ['an option that both have removed', { options: [a, c] }, { options: [a, { ...b, retired: true }, c] }, {}],
])('a conflict of two people who edit the same field: %s', (_, edited, current, expected) => {
  const before = fieldOf({ currency: 'GBP' })
  expect(fieldConflicts(before, { ...before, ...current }, { ...form, currency: 'GBP', ...edited })).toEqual(expected)
})
