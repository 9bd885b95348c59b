import { expect, it } from 'vitest'
import { formatTable } from './table.ts'

it("the table of npm run admin aligns columns, and prints 'None.' if there are no rows", () => {
  const since = new Date('2026-11-22T10:20:30Z')
  const rows = [
    { since, device: 'Firefox', isHere: true },
    { since, device: null, isHere: false },
  ]
  expect(formatTable(rows).split('\n')).toEqual([
    'since             device   isHere',
    '2026-11-22 10:20  Firefox  yes',
    '2026-11-22 10:20  -        no',
  ])
  expect(formatTable([])).toBe('None.')
})

it('the table of npm run admin replaces control characters in names of devices and factors', () => {
  const text = formatTable([{ device: 'a\u001b[2Jb\u009b1mc\nd\u202ee' }])
  expect(text).toBe('device\na�[2Jb�1mc�d�e')
})
