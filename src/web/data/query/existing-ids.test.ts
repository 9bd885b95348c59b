import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { existingIdsView } from './existing-ids.ts'

test('the existing ids leave out records that a colleague has deleted', async () => {
  for (const windowed of [[], ['contacts'] as const]) {
    const { data } = await openLoneTab({ windowed })
    putRows(data, 'contacts', { id: 'a' }, { id: 'b' }, { id: 'c' })
    const existing = existingIdsView(data, 'contacts', 'c a b')
    expect(existing.read()).toEqual(['c', 'a', 'b'])
    data.tables.contacts.write([], ['a'])
    expect(existing.read()).toEqual(['c', 'b'])
  }
})
