import { expect, it } from 'vitest'
import { plainBeginning } from './plain-beginning.ts'

const boId = 'b0000000-0000-4000-8000-000000000000'

it('plainBeginning returns the beginning of a note without the marks of bold text, links, lists and mentions', () => {
  expect(
    plainBeginning(`**Wants** a quote\n- by friday\n- see [it](https://a.test)\n\n@[Bo](user:${boId}) calls`),
  ).toBe('Wants a quote · by friday · see it @Bo calls')
  expect(plainBeginning('- **Call them** soon. **Wants a ro')).toBe('Call them soon. Wants a ro')
  expect(plainBeginning('1. First\n2. Second')).toBe('First · Second')
})
