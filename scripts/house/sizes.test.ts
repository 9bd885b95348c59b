import { expect, it } from 'vitest'
import { sizes } from './sizes.ts'

const lines = (count: number) => 'line\n'.repeat(count)

const files: Record<string, string> = {
  'src/web/main.tsx': lines(10),
  'src/web/tokens.css': lines(20),
  'src/web/logo.svg': lines(500),
  'src/web/data/deals.ts': lines(201),
  'src/web/data/deals.test.ts': lines(300),
  'src/server/app.ts': `${lines(199)}the last line ends with the file`,
  'supabase/migrations/1_brands.sql': '',
  'tests/api/rest.test.ts': lines(1),
}

it('the files and lines of each part are counted, with tests as a part of their own', () => {
  const found = sizes({ files: Object.keys(files), read: (file) => files[file] ?? '' })
  const of = (part: string) => found.find((one) => one.part === part)
  expect(of('src/web')).toEqual({
    part: 'src/web',
    files: 3,
    lines: 231,
    median: 20,
    p90: 201,
    long: [{ file: 'src/web/data/deals.ts', lines: 201 }],
  })
  expect(of('src/web/data')).toMatchObject({ files: 1, lines: 201, median: 201, p90: 201 })
  expect(of('src/server')).toMatchObject({ files: 1, lines: 200, long: [] })
  expect(of('src/shared')).toMatchObject({ files: 0, lines: 0, median: 0, p90: 0 })
  expect(of('supabase/migrations')).toMatchObject({ files: 1, lines: 0 })
  expect(of('tests')).toMatchObject({
    files: 2,
    lines: 301,
    long: [{ file: 'src/web/data/deals.test.ts', lines: 300 }],
  })
})
