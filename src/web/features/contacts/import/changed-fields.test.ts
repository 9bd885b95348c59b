import { expect, test } from 'vitest'
import { changedFields, withoutUnchanged } from './changed-fields.ts'

const values = { first_name: 'Uta', last_name: null, phone: '1', title: null, company: null, tags: null }
const withoutAddress = { ...values, email: null }

test.each([
  ['an address that an import will give', 'null', withoutAddress, { ...values, email: 'a@x.y' }, [null, 'a@x.y']],
  ['an address that an import has given', 'a@x.y', withoutAddress, values, [null, 'a@x.y']],
])('%s is among the changed fields', (_, email, before, after, [old, now]) => {
  const change = { id: 'u', email: email === 'null' ? null : email, before, after: { ...after, phone: '2' } }
  expect(changedFields(change)).toEqual([
    { label: 'Email', old, now },
    { label: 'Phone', old: '1', now: '2' },
  ])
})

test.each([
  ['of a contact that has none', null, withoutAddress, withoutAddress],
  ['of a contact that had one', 'a@x.y', values, values],
  ['of a contact whose address was deleted later', null, values, withoutAddress],
])('the address %s is not a changed field', (_, email, before, after) => {
  expect(changedFields({ id: 'u', email, before, after })).toEqual([])
})

test('a contact without a net change is neither listed nor counted, unless it was changed since the import', () => {
  const change = (id: string, parts: object) => ({ id, email: 'a@x.y', before: values, after: values, ...parts })
  const contacts = [
    change('same', {}),
    change('phone', { after: { ...values, phone: '2' } }),
    change('same custom', { before: { ...values, custom: { s: 1 } }, after: { ...values, custom: { s: 1 } } }),
    change('custom', { before: { ...values, custom: {} }, after: { ...values, custom: { s: 1 } } }),
    change('changed since', { changed_since: true }),
  ]
  const { count, contacts: listed } = withoutUnchanged({ count: 205, contacts })
  expect([count, listed.map(({ id }) => id)]).toEqual([203, ['phone', 'custom', 'changed since']])
})
