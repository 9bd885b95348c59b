import { expect, it } from 'vitest'
import { excerptAroundMatch } from './excerpt-around-match.ts'

it.each([
  ['Has a **cork allergy**, so no cork mats', 'ALLERGY', 'Has a cork allergy, so no cork mats'],
  [
    `Spoke with Ana about the offer and the delivery. Then she said\n- cork allergy\n- likes tea`,
    'cork',
    '… the delivery. Then she said · cork allergy · likes tea',
  ],
  ['Wants a Müllcontainer by friday', 'mue', 'Wants a Müllcontainer by friday'],
  [
    `${'x '.repeat(100)}@[Tom Hale](user:11111111-2222-4333-8444-555555555555) knows`,
    'tom',
    `… ${'x '.repeat(15)}@Tom Hale knows`,
  ],
  [`${'x '.repeat(100)}Памʼять`, 'ять', `… ${'x '.repeat(15)}Памʼять`],
  ['The mark is in the address: [here](https://cork.test/)', 'cork', 'The mark is in the address: here'],
])(
  'an excerpt of a note shows the first match of a search in the plain text: the note is "%s", the search "%s"',
  (body, search, excerpt) => {
    expect(excerptAroundMatch(body, search)).toBe(excerpt)
  },
)

it('the excerpt of a note is short, even if the note is one long word', () => {
  expect(excerptAroundMatch(`${'a'.repeat(300)} b`, 'b')).toBe('… b')
  expect(Array.from(excerptAroundMatch('😀'.repeat(9000), 'x'))).toHaveLength(221)
})
