import * as fc from 'fast-check'

/**
 * Values that often cause errors, as JSON text: wrong types, out of range, NUL, lone surrogates, very deep, very long, not valid JSON (`NaN`).
 */
const hostileJson = [
  'null',
  'true',
  '-1',
  '0.1e-400',
  '1e308',
  '1e999',
  '-1e308',
  'NaN',
  '-0',
  '99999999999999999999999999',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"0000-00-00"',
  '"2020-02-30"',
  '"294277-01-01T00:00:00Z"',
  '"infinity"',
  '"not-a-uuid"',
  '"00000000-0000-0000-0000-000000000000"',
  '[]',
  '{}',
  '[[]]',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":1}}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `"${'x'.repeat(50_000)}"`,
  `"${'\u{1F600}'.repeat(100)}"`,
  '"\u202e\ufeff\u0085"',
  '"\' or 1=1 --"',
  '"{}"',
  '"(1,2)"',
]

/**
 * Generates the texts of bodies: mostly objects and lists of objects, sometimes other values or invalid JSON. `name` generates the keys of an object,
 * which may repeat. `names`: an object sometimes has exactly these keys.
 */
export function jsonBodies(name: fc.Arbitrary<string>, names: readonly string[]): fc.Arbitrary<string> {
  const value = fc.oneof(
    {
      arbitrary: fc.constantFrom(
        '1',
        '2',
        '"x"',
        '"2020-01-01"',
        'null',
        'true',
        '"00000000-0000-0000-0000-000000000001"',
      ),
      weight: 4,
    },
    { arbitrary: fc.constantFrom(...hostileJson), weight: 3 },
    { arbitrary: fc.json({ maxDepth: 3 }), weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)), weight: 1 },
  )
  const member = fc.tuple(name, value).map(([key, json]) => `${JSON.stringify(key)}:${json}`)
  const randomObject = fc.array(member, { maxLength: 6 }).map((members) => `{${members.join(',')}}`)
  const completeObject = fc
    .tuple(...names.map((key) => value.map((json) => `${JSON.stringify(key)}:${json}`)))
    .map((members) => `{${members.join(',')}}`)
  const object = fc.oneof(randomObject, completeObject)
  return fc.oneof(
    { arbitrary: object, weight: 6 },
    { arbitrary: fc.array(object, { maxLength: 3 }).map((list) => `[${list.join(',')}]`), weight: 2 },
    { arbitrary: value, weight: 1 },
    { arbitrary: fc.constantFrom('', '{', '[{]', '{"a":1}{"b":2}', '\ufeff{}', '{"a":1,}'), weight: 1 },
  )
}
