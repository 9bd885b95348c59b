import { expect, test } from 'vitest'
import { tagNames } from './several-values.ts'

test.each([
  ['* myContacts ::: Friends', 'Friends'],
  ['* myContacts', ''],
  ['* Friends ::: VIP', 'VIP'],
  ['* VIP; Friends', '* VIP; Friends'],
  ['* VIP, Friends', '* VIP, Friends'],
  ['* VIP', '* VIP'],
])('of the tags %s, only the groups of Google Contacts itself are left out: %s', (cell, names) => {
  expect(tagNames(cell)).toBe(names)
})
