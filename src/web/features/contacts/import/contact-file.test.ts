import { expect, test } from 'vitest'
import { ContactFile, maxFileBytes } from './contact-file.ts'
import { noColumns, unusedHeads } from './map-columns.ts'
import { testField } from './test-field.ts'

type Content = string | Uint8Array<ArrayBuffer> | Blob

async function openContent(content: Content) {
  const file = new ContactFile(new Blob([content]))
  return { file, result: await file.open() }
}

/** Returns all rows and all skipped rows of a valid file. */
async function readAll(content: Content) {
  const { file, result } = await openContent(content)
  if (!result.ok) throw new Error(result.failure.sentence)
  const rows = []
  const skipped = []
  for (;;) {
    const batch = await file.next(500, result.summary.columns)
    rows.push(...batch.rows)
    skipped.push(...batch.skipped)
    if (batch.done) return { file, summary: result.summary, rows, skipped }
  }
}

const refusalOf = async (content: Content) => {
  const { result } = await openContent(content)
  if (result.ok) throw new Error('the file was accepted')
  return result.failure
}

const utf16 = (text: string, bigEndian: boolean, withMark: boolean) => {
  const bytes = Buffer.from((withMark ? '\uFEFF' : '') + text, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}
const sample = 'email,first_name,last_name,company\nzoe@müller.example,Zoë,Müller,Größe & Söhne\n'
const zoeRow = {
  row: 2,
  email: 'zoe@müller.example',
  phone: null,
  first_name: 'Zoë',
  last_name: 'Müller',
  title: null,
  company: 'Größe & Söhne',
}

test.each([
  ['UTF-8', sample],
  ['UTF-8 with a byte order mark', `\uFEFF${sample}`],
  ['UTF-16 LE', utf16(sample, false, true)],
  ['UTF-16 BE', utf16(sample, true, true)],
  ['UTF-16 LE without a byte order mark', utf16(sample, false, false)],
  ['UTF-16 BE without a byte order mark', utf16(sample, true, false)],
  ['Windows-1252', new Uint8Array(Buffer.from(sample, 'latin1'))],
] as const)('the contact file is read: %s', async (_, content) => {
  expect((await readAll(content)).rows).toEqual([zoeRow])
})

test('a file is read as Windows-1252 also if its first byte that is invalid in UTF-8 is far from the beginning', async () => {
  const text = `${sample}${'a@b.example,A,B,C\n'.repeat(40_000)}r@b.example,Ren\u00e9,B,C\n`
  const { rows } = await readAll(new Uint8Array(Buffer.from(text, 'latin1')))
  expect(rows).toHaveLength(40_002)
  expect(rows[0]).toEqual(zoeRow)
  expect(rows.at(-1)?.first_name).toBe('René')
})

test('rows with neither an email nor a phone number are skipped and listed with their spreadsheet row number; empty lines have a row number and do not count as skipped', async () => {
  const { rows, skipped, summary } = await readAll(
    'email;first_name\r\n\r\n;"Ida\r\nHolm"\r\na@b.example;\r\n  ;Bo\r\n',
  )
  expect(summary.rows).toBe(3)
  expect(rows.map(({ row, email, first_name }) => [row, email, first_name])).toEqual([[4, 'a@b.example', null]])
  expect(skipped).toEqual([
    { row: 3, content: '–, Ida\r\nHolm', reason: 'Email or phone number is required' },
    { row: 5, content: '–, Bo', reason: 'Email or phone number is required' },
  ])
})

test('a row of separators or blanks only is an empty line, also before the header', async () => {
  const { rows, skipped, summary } = await readAll(';;\nemail;first_name;\n;;\na@b.example;Ida;\n ; "" ;\t\n;;\n')
  expect(rows.map(({ row, email, first_name }) => [row, email, first_name])).toEqual([[4, 'a@b.example', 'Ida']])
  expect(skipped).toEqual([])
  expect(summary).toMatchObject({ rows: 1, header: ['email', 'first_name', ''] })
})

test('a column with values but without a head is named after its position, and the person must check the columns before the import', async () => {
  const { summary, file } = await readAll('email,,,\nida@x.example,,,\nbo@x.example,,Kiel, \n')
  expect(summary).toMatchObject({ header: ['email', '', 'Column 3', ''], columnCount: 4, understood: false })
  expect(unusedHeads(summary.header, summary.columns)).toEqual(['Column 3'])
  const mapped = { ...summary.columns, company: 2 }
  expect(unusedHeads(summary.header, mapped)).toEqual([])
  // The file of rows to correct has the heads of the file itself.
  const text = await (await file.correctionFile(new Map([[3, { reason: 'x' }]]), mapped)).text()
  expect(text.split('\r\n')[0]).toBe('email,,,,Left out because')
  const { summary: emptySummary } = await readAll('email, \nida@x.example,\n')
  expect(emptySummary).toMatchObject({ header: ['email', ' '], understood: true })
})

test('a row needs an e-mail address or a phone number', async () => {
  const { rows, skipped } = await readAll('Vorname;Name;E-Mail;Telefon;Position\nUta;Hof;;040 12345;Chefin\nBo;Ek;;;\n')
  expect(rows).toEqual([
    { row: 2, email: null, phone: '040 12345', first_name: 'Uta', last_name: 'Hof', title: 'Chefin', company: null },
  ])
  expect(skipped).toEqual([{ row: 3, content: 'Bo, Ek, –, –, –', reason: 'Email or phone number is required' }])
})

test('a full name is split if neither a first nor a last name is given, and otherwise ignored', async () => {
  const { rows } = await readAll(
    'Full name,Last name,Phone\n"Schmidt, Anna",,1\nAnna Maria Schmidt,,2\nAnna Schmidt,Meier,3\n',
  )
  expect(rows.map(({ first_name, last_name }) => [first_name, last_name])).toEqual([
    ['Anna', 'Schmidt'],
    ['Anna', 'Maria Schmidt'],
    [null, 'Meier'],
  ])
})

test('the summary of a file has the heads, the guessed columns, and the first rows', async () => {
  const { summary } = await readAll(
    `Telefon;Region;E-Mail\n1;North;a@b.example\n2;;b@b.example\n3;;\n4;;${'x'.repeat(999)}\n`,
  )
  expect(summary).toMatchObject({ rows: 4, header: ['Telefon', 'Region', 'E-Mail'], columnCount: 3, understood: false })
  expect(summary.columns).toMatchObject({ phone: 0, email: 2, company: -1 })
  expect(summary.samples.map(({ row, fields }) => [row, ...fields])).toEqual([
    [2, '1', 'North', 'a@b.example'],
    [3, '2', '', 'b@b.example'],
    [4, '3', '', ''],
  ])
  expect((await readAll(sample)).summary.understood).toBe(true)
})

test('columns that a person has chosen are used instead of the guessed ones', async () => {
  const { file } = await openContent('a;b\nida@b.example;Ida\n')
  const { rows } = await file.next(500, { ...noColumns, email: 0, company: 1 })
  expect(rows.map(({ email, company }) => [email, company])).toEqual([['ida@b.example', 'Ida']])
})

test('a quotation mark that is never closed is reported with its row and the lines before it', async () => {
  const failure = await refusalOf('email,first_name\nida@a.example,Ida\n"gwen@a.example,Gwen\nx@a.example,X\n')
  expect(failure).toEqual({
    sentence: 'Row 3 opens a quotation mark that is never closed.',
    line: 3,
    lines: [
      { line: 1, row: 1, text: 'email,first_name' },
      { line: 2, row: 2, text: 'ida@a.example,Ida' },
      { line: 3, row: 3, text: '"gwen@a.example,Gwen' },
    ],
  })
})

test('an error after a cell with line breaks is reported with its spreadsheet row; the lines in that cell have no row number', async () => {
  const failure = await refusalOf('sep=,\nemail,note\na@b.example,"one\ntwo\nthree"\nc@d.example,"x"y\n')
  expect(failure.sentence).toBe('Row 3 has text after a closing quotation mark.')
  expect(failure.lines.map(({ line, row, text }) => [line, row, text])).toEqual([
    [4, null, 'two'],
    [5, null, 'three"'],
    [6, 3, 'c@d.example,"x"y'],
  ])
  expect(failure.line).toBe(6)
})

test('the line that names the delimiter is not counted as a row, as in a spreadsheet', async () => {
  const { rows } = await readAll('sep=;\nemail;first_name\na@b.example;Ida\n')
  expect(rows.map(({ row }) => row)).toEqual([2])
})

test.each([
  ['an .xlsx that was renamed', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0]), /Excel workbook/],
  ['a NUL byte', 'email\na@b.example\0\n', /not a text file/],
  ['a NUL byte far behind the beginning', `email\n${'a@b.example\n'.repeat(50_000)}\0`, /not a text file/],
  ['an empty file', '', /empty/],
  ['empty lines only', '\r\n\r\n', /empty/],
  ['lines of spaces and tabs only', ' \n\t\n', /empty/],
  ['lines of separators only', ';;;\r\n ;;;\r\n;;;', /empty/],
  ['lines of empty quoted cells only', '"",""\n"",""\n', /empty/],
  ['more than 50 MB', new Blob([new Uint8Array(maxFileBytes + 1)]), /larger than 50 MB/],
] as const)('the contact file is refused with a message: %s', async (_, content, sentence) => {
  expect((await refusalOf(content)).sentence).toMatch(sentence)
})

test('a field of 10 MB makes only its row invalid, and the rest of the file is read', async () => {
  const { rows, skipped } = await readAll(`email,company\na@b.example,"${'x'.repeat(10_000_000)}"\nc@d.example,D\n`)
  expect(rows.map(({ email }) => email)).toEqual(['c@d.example'])
  expect(skipped.map(({ row, reason }) => [row, reason])).toEqual([[2, 'A value is longer than 2,000 characters']])
  expect(skipped[0]?.content.length).toBeLessThan(100)
})

test('100,000 columns are read; the header in the summary has only the first 100', async () => {
  const header = ['email', ...Array.from({ length: 99_999 }, (_, index) => `c${index}`)].join(',')
  const { rows, summary } = await readAll(`${header}\na@b.example${','.repeat(99_999)}\n`)
  expect(rows).toHaveLength(1)
  expect(summary.header).toHaveLength(100)
  expect(summary.columnCount).toBe(100_000)
})

test('50 MB of text are read within 5 s of processor time, in bounded memory', async () => {
  const line = 'someone.with.a.long.address@a-company.example,Firstname,Lastname,"Company, with a comma"\n'
  const content = new Blob(['email,first_name,last_name,company\n', line.repeat(Math.floor(49_900_000 / line.length))])
  const heapBefore = process.memoryUsage().heapUsed
  // CPU time, because elapsed time depends on how busy the machine is.
  const cpuAtStart = process.cpuUsage()
  const { result } = await openContent(content)
  const { user, system } = process.cpuUsage(cpuAtStart)
  expect((user + system) / 1_000).toBeLessThan(5_000)
  expect(result.ok && result.summary.rows).toBeGreaterThan(550_000)
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(150_000_000)
})

const missingReason = 'Email or phone number is required'

test('the file of rows to correct has the columns and the delimiter of its file, and a last column with the reason', async () => {
  const { file, summary } = await readAll('email;first_name;note\n;Ida;=cmd()\na@b.example;Bo;"x"\n;Gwen\n')
  const corrections = new Map([
    [2, { reason: missingReason }],
    [4, { reason: missingReason }],
  ])
  const text = await (await file.correctionFile(corrections, summary.columns)).text()
  const lines = [
    'email;first_name;note;Left out because',
    `;Ida;'=cmd();Row 2: ${missingReason}`,
    `;Gwen;;Row 4: ${missingReason}`,
    '',
  ]
  expect(text).toBe(lines.join('\r\n'))

  // The corrected file is imported: the column of reasons is ignored, and the next file of corrections has it only once.
  const correctedFile = await readAll(text)
  expect(correctedFile.summary.columns).toEqual(summary.columns)
  const secondCorrections = await correctedFile.file.correctionFile(
    new Map([[3, { reason: 'x' }]]),
    correctedFile.summary.columns,
  )
  expect(await secondCorrections.text()).toBe('email;first_name;note;Left out because\r\n;Gwen;;Row 3: x\r\n')
})

test('a file of rows to correct has the contact id of a row without an email, so that importing it adds no second contact', async () => {
  const id = '5fcd2b1e-8a52-4a51-9a0d-6f6c5a3d1f20'
  const { file, summary } = await readAll('email,phone,size\n,+44 20 1,many\na@b.example,,few\n')
  const corrections = new Map([
    [2, { reason: 'Size: Type a number', contactId: id }],
    [3, { reason: 'Size: Type a number' }],
  ])
  const text = await (await file.correctionFile(corrections, summary.columns)).text()
  expect(text.split('\r\n')).toEqual([
    'email,phone,size,Banyan ID,Left out because',
    `,'+44 20 1,many,${id},Row 2: Size: Type a number`,
    'a@b.example,,few,,Row 3: Size: Type a number',
    '',
  ])
  const correctedFile = await readAll(text)
  expect(correctedFile.rows.map((row) => [row.phone, row.id])).toEqual([
    ['+44 20 1', id],
    [null, undefined],
  ])
  const filledFile = await correctedFile.file.correctionFile(
    new Map([[2, { reason: 'x', contactId: id }]]),
    correctedFile.summary.columns,
  )
  expect((await filledFile.text()).split('\r\n').slice(0, 2)).toEqual([
    'email,phone,size,Banyan ID,Left out because',
    `,'+44 20 1,many,${id},Row 2: x`,
  ])
})

test('rows with the email address of an earlier row are counted in the summary, and reported with that row', async () => {
  const { file, result } = await openContent(
    'email,first_name\nana@acme.example,Ana\nbo@acme.example,Bo\n,Nobody\nANA@acme.example ,Anna\nana@acme.example,Anne\n',
  )
  if (!result.ok) throw new Error(result.failure.sentence)
  expect(result.summary.repeated).toBe(2)
  // Repeated rows are also found if the earlier row was in another batch.
  const firstBatch = await file.next(2, result.summary.columns)
  const secondBatch = await file.next(500, result.summary.columns)
  expect([firstBatch.repeated, secondBatch.repeated]).toEqual([
    [],
    [
      { row: 5, first: 2 },
      { row: 6, first: 2 },
    ],
  ])
})

test('rows that will be refused or skipped are not counted as repeated rows in the summary', async () => {
  const id = '8a9a8b1e-3d6f-4e0f-9a51-1d2c3b4a5f60'
  const longAddress = `${'a'.repeat(320)}@x.y`
  const addresses = ['ana@x.y', 'not known', 'not known', 'a@b@c', 'a@b@c', longAddress, longAddress, 'Ana@x.y']
  const { summary } = await readAll(
    `email,phone,Banyan ID\n${addresses.map((address) => `${address},1,\n`).join('')},1,${id}\n,,${id}\n`,
  )
  expect(summary.repeated).toBe(1)
})

test('rows without an email address and with the Banyan ID of an earlier row are repeated rows', async () => {
  const id = '8a9a8b1e-3d6f-4e0f-9a51-1d2c3b4a5f60'
  const { file, result } = await openContent(
    `email,phone,Banyan ID\n,1,${id}\n,2,\n,3,${id}\n,4,\na@x.y,5,${id}\n,6,no id\n,7,no id\n`,
  )
  if (!result.ok) throw new Error(result.failure.sentence)
  const { repeated } = await file.next(500, result.summary.columns)
  expect([result.summary.repeated, repeated]).toEqual([1, [{ row: 4, first: 2 }]])
})

test('an email address with a name is read as in the forms, unless the file names the contact by its id', async () => {
  const id = '8a9a8b1e-3d6f-4e0f-9a51-1d2c3b4a5f60'
  const { rows, summary } = await readAll(
    `email,first name,Banyan ID\nTom Hale <tom@a.example>,,\n"Hale, Tom <TOM@a.example>",Thomas,\nmailto:q@a.example,,\nnobody,,\nida@a.example <x>,,${id}\n`,
  )
  expect(rows.map(({ email, first_name, last_name }) => [email, first_name, last_name])).toEqual([
    ['tom@a.example', 'Tom', 'Hale'],
    ['TOM@a.example', 'Thomas', null],
    ['q@a.example', null, null],
    ['nobody', null, null],
    ['ida@a.example <x>', null, null],
  ])
  expect(summary.repeated).toBe(1)
})

test('the first rows are read without an effect on the import', async () => {
  const { file, result } = await openContent(`email\n${['a@x.y', '', 'b@x.y', 'c@x.y'].join('\n')}\n`)
  if (!result.ok) throw new Error('refused')
  const { columns } = result.summary
  const addresses = async (size: number) => {
    const { rows, done } = await file.firstRows(size, columns)
    return [...rows.map(({ email }) => email), done]
  }
  expect(await addresses(2)).toEqual(['a@x.y', 'b@x.y', false])
  expect((await file.next(1, columns)).rows.map(({ email }) => email)).toEqual(['a@x.y'])
  expect(await addresses(3)).toEqual(['a@x.y', 'b@x.y', 'c@x.y', true])
  expect((await file.next(5, columns)).rows.map(({ email }) => email)).toEqual(['b@x.y', 'c@x.y'])
})

test('a file without a header is read from its first row on; its columns have numbers, and the column with email addresses is found', async () => {
  const { file, summary, rows } = await readAll('Ida,ida@nord.example,Nordhafen\nBo,bo@nord.example,\n')
  expect(summary).toMatchObject({
    rows: 2,
    headless: true,
    understood: false,
    header: ['Column 1', 'Email', 'Column 3'],
    columns: { ...noColumns, email: 1 },
  })
  expect(rows.map(({ row, email }) => [row, email])).toEqual([
    [1, 'ida@nord.example'],
    [2, 'bo@nord.example'],
  ])
  const columns = { ...summary.columns, first_name: 0 }
  const first = await file.firstRows(1, columns)
  expect(first.rows[0]).toMatchObject({ row: 1, email: 'ida@nord.example', first_name: 'Ida' })
  const text = await (await file.correctionFile(new Map([[1, { reason: 'x' }]]), columns)).text()
  expect(text.split('\r\n')).toEqual([
    'Column 1,Email,Column 3,Left out because',
    'Ida,ida@nord.example,Nordhafen,Row 1: x',
    '',
  ])
})

test.each([
  ['a known column beside an email address', 'Email,bo@nord.example\na@b.example,x\n', false],
  ['a phone column', 'Phone,x@y.example\n0123,x\n', false],
  ['no email address', 'Kontakt,Bemerkung\na@b.example,x\n', false],
  ['one column of email addresses', 'ida@nord.example\nbo@nord.example\n', true],
  ['an email address with a name', '"Ida Holm <ida@nord.example>"\nbo@nord.example\n', true],
])('a first row with %s is recognised as a contact or as a header', async (_, text, headless) => {
  const { summary } = await readAll(text)
  expect([summary.headless, summary.rows]).toEqual([headless, headless ? 2 : 1])
})

test('values beyond the last column are counted before the import, left out with a reason, and kept in the file of rows to correct', async () => {
  const { result, file } = await openContent(
    'email,company\nida@nord.example,Nordhafen,,\nbo@nord.example,Acme, Inc,x\n\ncy@nord.example,Holm, Sons\n',
  )
  if (!result.ok) throw new Error(result.failure.sentence)
  const { summary } = result
  expect(summary).toMatchObject({ rows: 3, tooWide: { count: 2, first: 3 }, understood: false })
  const { rows, leftOut } = await file.next(500, summary.columns)
  expect(rows.map(({ company }) => company)).toEqual(['Nordhafen', 'Acme', 'Holm'])
  const reason = 'The header has no such column'
  expect(leftOut).toEqual([
    { row: 3, target: null, label: 'After column 2', text: 'Inc, x', reason },
    { row: 5, target: null, label: 'After column 2', text: 'Sons', reason },
  ])
  const text = await (await file.correctionFile(new Map([[3, { reason: 'x' }]]), summary.columns)).text()
  expect(text.split('\r\n')).toEqual(['email,company,Left out because', 'bo@nord.example,Acme,Row 3: x," Inc",x', ''])
})

test('a row with very many values beyond the last column is reported by one short text', async () => {
  const { file, result } = await openContent(`email\nida@nord.example${',x'.repeat(100_000)}\n`)
  if (!result.ok) throw new Error(result.failure.sentence)
  expect(result.summary.tooWide).toEqual({ count: 1, first: 2 })
  const { leftOut } = await file.next(500, result.summary.columns)
  expect(leftOut.map(({ text }) => text)).toEqual(['x, x, x, x, x, x, x, x'])
})

test.each([
  [
    'Outlook in English',
    'First Name,E-mail Address,Primary Phone,Business Phone,Mobile Phone\nIda,ida@x.example,,040 1,0171 2\n',
    '040 1',
  ],
  [
    'Outlook in German',
    'Vorname;E-Mail-Adresse;Telefon (privat);Mobiltelefon;Telefon geschäftlich\nIda;ida@x.example;;0171 2;040 1\n',
    '040 1',
  ],
  ['a mobile phone', 'Email,Phone,Mobile\nida@x.example, - ,0171 2\n', '0171 2'],
  ['equal heads', 'Email,Phone 1,Phone 2\nida@x.example,,0171 2\n', '0171 2'],
  ['a value further down', 'Email,Phone,Mobile\nida@x.example,,0171 2\nbo@x.example,040 1,0171 3\n', null],
  ['no values', 'Email,Phone,Mobile\nida@x.example,,\n', null],
])('of several columns for a field, the first with values is used: %s', async (_, text, phone) => {
  expect((await readAll(text)).rows[0]?.phone).toBe(phone)
})

test("a column 'Title' does not replace an empty column of job titles, because it has 'Mr' or 'Dr'", async () => {
  const { summary } = await readAll('Title,Job Title,Email\nMr,,ida@x.example\n')
  expect(summary.columns.title).toBe(1)
})

test('of several values that Google Contacts writes into a cell, all tags and the first of the others are used', async () => {
  const { rows, summary } = await readAll(
    [
      'First Name,Organization Name,Organization Title,Labels,E-mail 1 - Value,Phone 1 - Value',
      'Ida,Nord ::: Süd,Chef ::: Rat,* myContacts ::: Friends ::: VIP,ida@x.example ::: holm@x.example,040 1 ::: 0171 2',
      'Bo,A:::B,,* myContacts,BO@x.example,',
      'Bo,,,Friends,::: bo@x.example,',
    ].join('\n'),
  )
  expect(rows[0]).toMatchObject({ email: 'ida@x.example', phone: '040 1', company: 'Nord', title: 'Chef' })
  expect(rows.map(({ tags }) => tags)).toEqual(['Friends; VIP', undefined, 'Friends'])
  expect(rows[1]?.company).toBe('A:::B')
  expect(rows[2]?.email).toBe('bo@x.example')
  expect(summary.repeated).toBe(1)
})

test('a row that this app exported keeps its values as they are', async () => {
  const id = '8a9a8b1e-3d6f-4e0f-9a51-1d2c3b4a5f60'
  const { rows } = await readAll(`email,company,tags,Banyan ID\nida@x.example,Nord ::: Süd,* VIP; Press,${id}\n`)
  expect(rows).toMatchObject([{ company: 'Nord ::: Süd', tags: '* VIP; Press' }])
})

test('the unreadable values of the whole file are counted without an effect on the import, also below readable ones', async () => {
  const fields = [testField('d', 'Renewal', { type: 'date' })]
  const goodRows = Array.from({ length: 3 }, (_, n) => `p${n}@x.example,2026-11-0${n + 1}`)
  const badRows = Array.from({ length: 47 }, (_, n) => `q${n}@x.example,soon`)
  const text = ['Email,Renewal', ...goodRows, ',soon', ...badRows].join('\n')
  const file = new ContactFile(new Blob([text]), fields)
  const result = await file.open()
  if (!result.ok) throw new Error('refused')
  const { columns } = result.summary
  const values = await file.unreadableValues(100, columns)
  expect(values).toMatchObject({ count: 47, rows: 51, done: true })
  // The row without an email address is skipped, so its value does not count.
  expect(values.first.map(({ row }) => row)).toEqual([6, 7, 8, 9, 10, 11, 12, 13])
  expect(await file.unreadableValues(5, columns)).toMatchObject({ count: 1, rows: 5, done: false })
  expect((await file.next(100, columns)).rows).toHaveLength(50)
})
