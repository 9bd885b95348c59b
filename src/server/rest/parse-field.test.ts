import { expect, it } from 'vitest'
import { parseJsonPath } from './parse-field.ts'
import { Scanner } from './scanner.ts'

const keysOf = (path: string) => parseJsonPath(new Scanner(path, 'filter')).map(({ key }) => key)

it('a step into JSON is an index only if it has nothing but digits; a key may begin with digits, such as a UUID', () => {
  expect(keysOf('->0->12->>-1')).toEqual([0, 12, -1])
  expect(keysOf('->56958637-cd64-4968-896d-c60ea9b3843e')).toEqual(['56958637-cd64-4968-896d-c60ea9b3843e'])
  expect(keysOf('->12345678-1234-4234-8234-123456789012->>a')).toEqual(['12345678-1234-4234-8234-123456789012', 'a'])
  expect(keysOf('->1a->>2b')).toEqual(['1a', '2b'])
})
