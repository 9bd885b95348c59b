import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('text grows with the font size of the browser: no font size and no breakpoint is in px', () => {
  const sizeInPx =
    /text-\[[\d.]+px|font(-size)?: [\d.]+px|--text-[\w-]+: [\d.]+px|\((min-|max-)?(width|height)[^)]*\dpx|-\[[\d.]+px\]:/g
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|tsx?)$/.test(name) && !name.includes('.test.'))
    .flatMap((name) => (readFileSync(join(folder, name), 'utf8').match(sizeInPx) ?? []).map((size) => [name, size]))
  expect(found).toEqual([])
})
