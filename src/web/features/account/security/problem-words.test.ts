import { expect, test } from 'vitest'
import { problemWords } from './problem-words.ts'

test('the text for SECOND_FACTOR_REQUIRED says what to do; any other message is unchanged', () => {
  expect(problemWords('SECOND_FACTOR_REQUIRED')).toMatch(/sign in with its code/)
  expect(problemWords('The server does not answer.')).toBe('The server does not answer.')
})
