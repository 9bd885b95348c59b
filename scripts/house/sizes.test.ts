import { expect, it } from 'vitest'
import { sizes } from './sizes.ts'

const textOfLines = (count: number) => 'line\n'.repeat(count)

const files: Record<string, string> = {
  'src/web/main.tsx': textOfLines(10),
  'src/web/tokens.css': textOfLines(20),
  'src/web/logo.svg': textOfLines(500),
  'src/web/data/deals.ts': textOfLines(201),
  'src/web/data/deals.test.ts': textOfLines(300),
  'src/server/app.ts': `${textOfLines(199)}the last line ends with the file`,
  'supabase/migrations/1_brands.sql': '',
  'tests/api/rest.test.ts': textOfLines(1),
}

it('the files and lines of each part are counted, with tests as a part of their own', () => {
  const allSizes = sizes({ files: Object.keys(files), read: (file) => files[file] ?? '' })
  const sizeOf = (part: string) => allSizes.find((size) => size.part === part)
  expect(sizeOf('src/web')).toEqual({
    part: 'src/web',
    files: 3,
    lines: 231,
    median: 20,
    p90: 201,
    long: [{ file: 'src/web/data/deals.ts', lines: 201 }],
  })
  expect(sizeOf('src/web/data')).toMatchObject({ files: 1, lines: 201, median: 201, p90: 201 })
  expect(sizeOf('src/server')).toMatchObject({ files: 1, lines: 200, long: [] })
  expect(sizeOf('src/shared')).toMatchObject({ files: 0, lines: 0, median: 0, p90: 0 })
  expect(sizeOf('supabase/migrations')).toMatchObject({ files: 1, lines: 0 })
  expect(sizeOf('tests')).toMatchObject({
    files: 2,
    lines: 301,
    long: [{ file: 'src/web/data/deals.test.ts', lines: 300 }],
  })
})
