import { expect, test } from 'vitest'
import { pastImportCounts } from './past-import-words.ts'

const counts = { created: 1, updated: 0, undone_at: null, deleted_contacts: 0, restored_contacts: 0 }

test.each([
  [{ created: 1200 }, '1,200 added'],
  [{ updated: 1 }, '1 added, 1 row updated a contact'],
  // Several rows may be for one contact, so their number is not that of the contacts.
  [{ updated: 1216 }, '1 added, 1,216 rows updated contacts'],
  [{ undone_at: '2026-11-23', deleted_contacts: 2 }, 'undone, 2 contacts deleted'],
  [{ undone_at: '2026-11-23', restored_contacts: 1 }, 'undone, 1 contact restored'],
])('the counts of an earlier import: %j', (changed, text) => {
  expect(pastImportCounts({ ...counts, ...changed })).toBe(text)
})
