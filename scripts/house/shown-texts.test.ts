import { expect, test } from 'vitest'
import { parseFile, parsedFiles } from './parsed-files.ts'
import { textFaults } from './shown-texts.ts'
import { workingTree } from './source-tree.ts'

test('texts on screen use the ellipsis sign and the word email, and contain no column names', () => {
  expect(textFaults(parsedFiles(workingTree('.'), 'src/web'))).toEqual([])
})

test('texts that break a rule are found, and nothing else', () => {
  const faults = (code: string) => textFaults([parseFile('src/web/x.tsx', code)])
  expect(faults('const a = <p>Loading...</p>')).toEqual(['src/web/x.tsx:1: “Loading...” (one sign, …)'])
  expect(faults("toast('Your E-mail was sent')")).toHaveLength(1)
  expect(faults('toast(`${name} has an e-mail`)')).toHaveLength(1)
  expect(faults("toast('Choose close_date')")).toHaveLength(1)
  expect(faults('const a = <Switch label="Demand a code" />')).toHaveLength(1)
  expect(faults("const a = [...b, 'Search contacts...', 'close_date', 'Your email…']")).toEqual([])
})
