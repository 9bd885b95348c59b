import { expect, test } from 'vitest'
import { changesOfTypescript } from './change-typescript.ts'
import { applyChange } from './mutant.ts'

/** Returns the texts that result from the changes of this text. */
const changedTexts = (text: string) => changesOfTypescript('a.ts', text).map((change) => applyChange(text, change))

test('conditions, operators, numbers and texts are changed one at a time; types and log lines are not', () => {
  expect(changedTexts("const a = (b: 'x') => b && 7")).toEqual([
    "const a = (b: 'x') => b || 7",
    "const a = (b: 'x') => b && (7 + 1)",
  ])
  expect(changedTexts("if (a) throw b('c')")).toEqual([
    "if (true) throw b('c')",
    "if (false) throw b('c')",
    'if (a) {}',
    "if (a) throw b('')",
  ])
  expect(changedTexts("console.warn('x', 1)")).toEqual([])
  expect(changedTexts('log.info(1)\nb()')).toEqual(['log.info(1)\n{}'])
})

test('a 1 or -1 that a sort function returns gets the other sign, because only the sign matters', () => {
  const textsWithChangedNumber = (text: string) =>
    changedTexts(text).filter((changedText) => changedText.includes('(-1)') || changedText.includes('+ 1'))
  expect(textsWithChangedNumber('a < b ? -1 : 1')).toEqual(['a < b ? -(-1) : 1', 'a < b ? -1 : (-1)'])
  expect(textsWithChangedNumber('a < b ? -1 : c ? 1 : 0')).toEqual([
    'a < b ? -(-1) : c ? 1 : 0',
    'a < b ? -1 : c ? (-1) : 0',
    'a < b ? -1 : c ? 1 : (0 + 1)',
  ])
  expect(textsWithChangedNumber('a ? 0 : 1')).toEqual(['a ? (0 + 1) : 1', 'a ? 0 : (1 + 1)'])
  expect(textsWithChangedNumber('(a < 1 ? -1 : b)')).toContain('(a < (1 + 1) ? -1 : b)')
})
