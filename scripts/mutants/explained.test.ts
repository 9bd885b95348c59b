import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explained } from './explained.ts'
import { explainedData } from './explained-data.ts'

test('the line of each explained mutant is in its file', () => {
  const isStale = ({ file, line }: { file: string; line: string }) =>
    !existsSync(file) || !readFileSync(file, 'utf8').includes(line)
  expect([...explained, ...explainedData].filter(isStale)).toEqual([])
})
