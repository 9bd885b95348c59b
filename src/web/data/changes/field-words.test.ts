import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { fieldWords } from './field-words.ts'

test.each([
  ['amount', 'amount'],
  ['amount_currency', 'currency'],
  ['expected_close_date', 'expected close date'],
  ['email', 'email address'],
  ['owner_id', 'owner'],
  ['assignee_id', 'assignee'],
  ['stage_id', 'stage'],
  ['contact_id', 'contact'],
  ['tag_ids', 'tags'],
  ['due_at', 'due date'],
  ['occurred_at', 'time'],
  ['repeats', 'repetition'],
  ['body', 'text'],
  ['first_name', 'first name'],
  ['lost_reason', 'lost reason'],
  ['last_idea_at', 'last idea date'],
  ['seen_attempts', 'seen attempts'],
])('the field %s is called %s', (column, words) => {
  expect(fieldWords(column)).toBe(words)
})

test('a custom field is called by its label, if this device knows it', async () => {
  const { data } = await openLoneTab()
  putRows(data, 'custom_fields', { id: 'f', label: 'Renewal date', type: 'date', options: [] })
  expect(fieldWords('custom.f', data)).toBe('Renewal date')
  expect(fieldWords('custom.unknown', data)).toBe('field')
  expect(fieldWords('custom.f')).toBe('field')
})
