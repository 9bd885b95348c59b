import { expect, test } from 'vitest'
import { ContactFile } from './contact-file.ts'
import { Tally } from './tally.ts'
import { testField } from './test-field.ts'

const fields = [testField('b', 'Born', { type: 'date' }), testField('s', 'Size', { type: 'number' })]

interface Answers {
  refused?: readonly number[]
  leftOut?: Readonly<Record<number, string>>
}

/**
 * Reads a file as the import does; the server gives the rows in `refused` the status 'error' and leaves out the values in `leftOut`, by row number.
 * Returns the lines of the file of rows to correct.
 */
async function correct(content: string, { refused = [0], leftOut = {} }: Answers = {}) {
  const file = new ContactFile(new Blob([content]), fields)
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  const { columns, rows } = result.summary
  const tally = new Tally(rows, fields, () => {})
  const batch = await file.next(500, columns)
  tally.addSkipped(batch.skipped)
  tally.addSent(batch.rows)
  tally.addRepeated(batch.repeated)
  tally.addLeftOut(batch.leftOut)
  tally.addOutcomes(
    batch.rows.map(({ row }) => ({
      row,
      status: refused.includes(row) ? ('error' as const) : ('updated' as const),
      id: `5fcd2b1e-8a52-4a51-9a0d-6f6c5a3d1f2${row}`,
      reason: refused.includes(row) ? 'Email is not valid' : null,
      left_out_values: leftOut[row] ? [{ field: leftOut[row], reason: 'Too large' }] : [],
    })),
  )
  const text = await (await file.correctionFile(tally.corrections, columns)).text()
  return text.split('\r\n').slice(0, -1)
}

test('a row that was imported has only its address and the values that were left out, so that its other values do not undo newer ones', async () => {
  expect(await correct('email,phone,first name,Born,Size\na@r.example,1,Old,soon,3\na@r.example,2,New,,4\n')).toEqual([
    'email,phone,first name,Born,Size,Left out because',
    'a@r.example,,,soon,,"Row 2: Born: Type a date such as 30 Nov, fri or +3d"',
  ])
})

test('a value that was left out is not in the file if a later row of the same contact has a readable value for its field', async () => {
  const content =
    'email,Born,Size\na@r.example,soon,many\nb@r.example,soon,1\nA@R.example,1980-12-31,lots\nb@r.example,1980-12-30,2\n'
  expect(await correct(content)).toEqual([
    'email,Born,Size,Left out because',
    'a@r.example,,many,"Row 2: Size: Type a number, such as 12,400"',
    'A@R.example,,lots,"Row 4: Size: Type a number, such as 12,400"',
  ])
})

test('a value that was left out stays in the file if the later row was refused, or its value was left out by the server', async () => {
  const content = 'email,Size\na@r.example,many\na@r.example,4\n'
  const line = 'a@r.example,many,"Row 2: Size: Type a number, such as 12,400"'
  expect(await correct(content, { refused: [3] })).toEqual([
    'email,Size,Left out because',
    line,
    'a@r.example,4,Row 3: Email is not valid',
  ])
  expect(await correct(content, { leftOut: { 3: 'Size' } })).toEqual([
    'email,Size,Left out because',
    line,
    'a@r.example,4,Row 3: Size: Too large',
  ])
})

test('a row that was refused has no values in the fields that later rows of the same contact have set, so that it does not replace them', async () => {
  const content =
    'email,phone,job title,company,Size,Notes\na@r.example,1,Boss,Acme,7,x\nA@R.example,2,,,8,y\na@r.example,,,,many,\na@r.example,,Chief,,,\n'
  const replaced = 'left empty where later rows of this contact have values'
  expect(await correct(content, { refused: [2] })).toEqual([
    'email,phone,job title,company,Size,Notes,Left out because',
    `a@r.example,,,Acme,,x,Row 2: Email is not valid; ${replaced}`,
    'a@r.example,,,,many,,"Row 4: Size: Type a number, such as 12,400"',
  ])
  // The later rows have set only what they could: the server left out the size of row 3, and row 5 was refused, too.
  expect(await correct(content, { refused: [2, 5], leftOut: { 3: 'Size' } })).toEqual([
    'email,phone,job title,company,Size,Notes,Left out because',
    `a@r.example,,Boss,Acme,7,x,Row 2: Email is not valid; ${replaced}`,
    'A@R.example,,,,8,,Row 3: Size: Too large',
    'a@r.example,,,,many,,"Row 4: Size: Type a number, such as 12,400"',
    'a@r.example,,Chief,,,,Row 5: Email is not valid',
  ])
})

test('a row that was refused has no name if a later row of the same contact has one, also beside the address', async () => {
  const reason = 'Row 2: Email is not valid; left empty where later rows of this contact have values'
  expect(await correct('email,full name\nIda <a@r.example>,Ida Old\na@r.example,Ida New\n', { refused: [2] })).toEqual([
    'email,full name,Left out because',
    `a@r.example,,${reason}`,
  ])
  expect(await correct('email,phone\nIda <a@r.example>,1\na@r.example,2\n', { refused: [2] })).toEqual([
    'email,phone,Left out because',
    `Ida <a@r.example>,,${reason}`,
  ])
})

test('a row that was refused, and is identified by its id only, has the newer phone number of a later row', async () => {
  const id = '5fcd2b1e-8a52-4a51-9a0d-6f6c5a3d1f20'
  expect(await correct(`Banyan ID,phone,Size\n${id},1,4\n${id},2,\n${id},3,\n`, { refused: [2] })).toEqual([
    'Banyan ID,phone,Size,Left out because',
    `${id},3,4,Row 2: Email is not valid; left empty where later rows of this contact have values`,
  ])
})

test('a row that was refused stays as it is if later rows of its contact have set none of its fields, or if it has values beyond the last column', async () => {
  expect(await correct('email,phone\na@r.example,1\na@r.example,2\n', { refused: [3] })).toEqual([
    'email,phone,Left out because',
    'a@r.example,2,Row 3: Email is not valid',
  ])
  expect(await correct('email,phone,Size\na@r.example,1,\na@r.example,,2\n', { refused: [2] })).toEqual([
    'email,phone,Size,Left out because',
    'a@r.example,1,,Row 2: Email is not valid',
  ])
  expect(await correct('email,phone\na@r.example,1,x\na@r.example,2\n', { refused: [2] })).toEqual([
    'email,phone,Left out because',
    'a@r.example,1,Row 2: Email is not valid; After column 2: The header has no such column,x',
  ])
})

test('a row that was skipped is complete, also if a value of it was left out', async () => {
  expect(await correct('email,first name,Born\na@r,Ida,soon\n', { refused: [2] })).toEqual([
    'email,first name,Born,Left out because',
    'a@r,Ida,soon,"Row 2: Email is not valid; Born: Type a date such as 30 Nov, fri or +3d"',
  ])
})

test('a row without an email address keeps its phone number, without which it could not be imported', async () => {
  expect(await correct('email,phone,first name,Born\n,040 12345,Ida,soon\n')).toEqual([
    'email,phone,first name,Born,Banyan ID,Left out because',
    ',040 12345,,soon,5fcd2b1e-8a52-4a51-9a0d-6f6c5a3d1f22,"Row 2: Born: Type a date such as 30 Nov, fri or +3d"',
  ])
})

test('a value that the server has left out is kept, and a name beside the address is not', async () => {
  expect(await correct('email,Size\nIda <a@r.example>,7\n', { leftOut: { 2: 'Size' } })).toEqual([
    'email,Size,Left out because',
    'a@r.example,7,Row 2: Size: Too large',
  ])
})

test('a row with values beyond the last column is complete, because its values may be in the wrong columns', async () => {
  expect(await correct('email,first name,Size\na@r.example,Ida,7,x\n', { leftOut: { 2: 'Size' } })).toEqual([
    'email,first name,Size,Left out because',
    'a@r.example,Ida,7,Row 2: After column 3: The header has no such column; Size: Too large,x',
  ])
})

test('numbers of a column with decimal commas have a point in the file, so that its import reads them as this import does', async () => {
  const content =
    'email;Size\na@r.example;12,5\nb@r.example;1.234\nc@r.example;1,234\nd@r.example;-1.234,5\ne@r.example;many\n'
  expect(await correct(content, { refused: [3, 4, 5, 6] })).toEqual([
    'email;Size;Left out because',
    expect.stringMatching(/^b@r\.example;1234;/),
    expect.stringMatching(/^c@r\.example;1\.2340;/),
    expect.stringMatching(/^d@r\.example;'?-1234\.5;/),
    expect.stringMatching(/^e@r\.example;many;/),
  ])
})

test('a number of the file keeps its meaning also if the corrected value beside it has a decimal comma', async () => {
  const content = 'email;Size\na@r.example;many\nb@r.example;1,234\nc@r.example;1,234k\nd@r.example;2,5\n'
  const lines = await correct(content, { refused: [2, 3, 4] })
  const file = new ContactFile(new Blob([lines.join('\n').replace('many', '12,5')]), fields)
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  const { rows } = await file.next(500, result.summary.columns)
  expect(rows.map(({ custom }) => custom?.['s'])).toEqual([12.5, 1.234, 1234])
})

test('a further value of a cell is not in the file if a later row of the same contact has set its field', async () => {
  const content = 'email,phone\na@r.example,+49 30 1111 ::: +49 171 2222\na@r.example,+49 30 1111\n'
  expect(await correct(content)).toEqual(['email,phone,Left out because'])
  expect(await correct(content.split('\n').slice(0, 2).join('\n'))).toEqual([
    'email,phone,Left out because',
    expect.stringMatching(/^a@r\.example,'\+49 30 1111 ::: \+49 171 2222,/),
  ])
})

test('dates have their ISO form in the file, so that its import reads them as this import does', async () => {
  const content =
    'email,Born\na@r.example,13/02/2026\nb@r.example,03/04/2026\nc@r.example,5/4/2026 0:00\nd@r.example,soon\ne@r.example,\n'
  expect(await correct(content, { refused: [3, 4, 5, 6] })).toEqual([
    'email,Born,Left out because',
    expect.stringMatching(/^b@r\.example,2026-04-03,/),
    expect.stringMatching(/^c@r\.example,2026-04-05,/),
    expect.stringMatching(/^d@r\.example,soon,/),
    expect.stringMatching(/^e@r\.example,,/),
  ])
})

test('a date that the server has left out has its ISO form in the file, too; one that can be read in two ways stays as it is', async () => {
  const content = 'email,Born\na@r.example,13/02/2026\nb@r.example,02/14/2026\nc@r.example,03/04/2026\n'
  expect(await correct(content, { leftOut: { 2: 'Born', 3: 'Born' } })).toEqual([
    'email,Born,Left out because',
    'a@r.example,2026-02-13,Row 2: Born: Too large',
    'b@r.example,2026-02-14,Row 3: Born: Too large',
    expect.stringMatching(/^c@r\.example,03\/04\/2026,/),
  ])
})
