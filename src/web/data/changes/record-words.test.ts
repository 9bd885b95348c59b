import { describe, expect, test } from 'vitest'
import { serverRow } from '#tests/harness/lone-tab.ts'
import { isNameColumn, rowWordsOf, nameOfRecord, recordWords } from './record-words.ts'

test('each table has a word for one of its rows and one for many', () => {
  expect(rowWordsOf('companies')).toEqual({ one: 'company', many: 'companies' })
  expect(rowWordsOf('deals')).toEqual({ one: 'deal', many: 'deals' })
  expect(rowWordsOf('notes')).toEqual({ one: 'note', many: 'notes' })
  expect(rowWordsOf('custom_fields')).toEqual({ one: 'field', many: 'fields' })
  expect(rowWordsOf('deal_contacts')).toEqual({ one: 'further contact', many: 'further contacts' })
  expect(rowWordsOf('memberships')).toEqual({ one: 'record', many: 'records' })
})

describe('a record is called by', () => {
  test.each([
    ['its name', { name: 'Roof', title: 'x' }, 'Roof'],
    ['its label, if it is a field', { label: 'Renewal', key: 'k' }, 'Renewal'],
    ['its title, if it is a task', { title: 'Call Owen' }, 'Call Owen'],
    ['the whole name of a contact', { first_name: 'Owen', last_name: 'Davies', email: 'o@d.test' }, 'Owen Davies'],
    [
      'one half of the name, if the other is missing',
      { first_name: null, last_name: 'Davies', email: 'o@d.test' },
      'Davies',
    ],
    ['the email address of a contact without a name', { first_name: null, email: 'o@d.test', phone: '1' }, 'o@d.test'],
    [
      'the phone number of a contact without an email address',
      { first_name: null, email: null, phone: '0171', title: 'CEO' },
      '0171',
    ],
    ['nothing, if a contact has only a job title', { first_name: null, email: null, phone: null, title: 'CEO' }, null],
    ['its email address, if the row has no name columns', { email: 'o@d.test', title: 'CEO' }, 'o@d.test'],
  ])('a record is called by %s', (_, parts, name) => {
    expect(nameOfRecord(serverRow({ id: 'a', ...parts }))).toBe(name)
  })
})

test('a line about records contains the name of a single record, or the number of records', () => {
  const roof = serverRow({ id: 'a', name: 'Roof' })
  const nameless = serverRow({ id: 'a', first_name: null, email: null })
  expect(recordWords('deals', [roof])).toBe('“Roof”')
  expect(recordWords('contacts', [nameless])).toBe('a contact')
  expect(recordWords('companies', [undefined])).toBe('a company')
  expect(recordWords('deals', [roof, undefined, roof])).toBe('3 deals')
  expect(recordWords('deals', [])).toBe('0 deals')
})

test('the columns that name a record are `name`, and `title` except for the job title of a contact', () => {
  expect(isNameColumn('deals', 'name')).toBe(true)
  expect(isNameColumn('tasks', 'title')).toBe(true)
  expect(isNameColumn('contacts', 'title')).toBe(false)
  expect(isNameColumn('contacts', 'email')).toBe(false)
})
