import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { securityBreaks } from './security/breaks.ts'
import { breaks } from './spec/breaks.ts'

test.each([
  ['of the specification', breaks],
  ['of the defences', securityBreaks],
])('each break %s changes one place of the code as it is now', (_, all) => {
  expect(all.length).toBeGreaterThan(30)
  const lost = all.filter(({ file, from }) => !existsSync(file) || readFileSync(file, 'utf8').split(from).length !== 2)
  expect(lost.map(({ file, from }) => `${file}: ${from}`)).toEqual([])
})
