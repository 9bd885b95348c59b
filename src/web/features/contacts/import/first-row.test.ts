import { expect, test } from 'vitest'
import { ContactFile } from './contact-file.ts'
import { noColumns } from './map-columns.ts'

async function openText(text: string) {
  const file = new ContactFile(new Blob([text]))
  const result = await file.open()
  if (!result.ok) throw new Error(result.failure.sentence)
  return { file, summary: result.summary }
}

/** Returns the summary, and the identifying cells of the rows that would be imported. */
async function readText(text: string) {
  const { file, summary } = await openText(text)
  const { rows } = await file.next(500, summary.columns)
  return { summary, contacts: rows.map(({ email, phone }) => email ?? phone) }
}

test.each([
  ['phone numbers only', '+49 30 1234567\n0171 5554433\n', ['Phone']],
  ['phone numbers of bare digits', '1715554433\n1715554434', ['Phone']],
  ['one phone number', '0171 5554433', ['Phone']],
  ['names and phone numbers', 'Ida Holm;+49 30 1234567\nBo Nord;0171 5554433\n', ['Column 1', 'Phone']],
  ["a company that is called like a column's head", 'Firma,0171 5554433\nAcme,0171 5554434\n', ['Column 1', 'Phone']],
  ['email addresses and phone numbers', 'ida@x.example,0171 5554433\nbo@x.example,\n', ['Email', 'Phone']],
  ['customer numbers', '7654321,ida@x.example\n7654322,bo@x.example\n', ['Column 1', 'Email']],
  ['an address, then a phone number', 'Ida,ida@x.example,\nBo,,0171 5554433\n', ['Column 1', 'Email', 'Phone']],
  ['addresses without a dot', 'ida@intranet\nbo@intranet\n', ['Email']],
  ['an address without a dot below one with a dot', 'Ida,ida@x.example\nBo,bo@intranet\n', ['Column 1', 'Email']],
  ['several addresses in a cell', 'Ida,ida@x.example\nBo,"bo@x.example, bo@y.example"\n', ['Column 1', 'Email']],
  ['an address above signs for no value', 'Ida,ida@x.example\nBo,-\nCy,n/a\n', ['Column 1', 'Email']],
  [
    'numbers that are not phone numbers',
    'Ida,i@x.example,90210-1234\nBo,b@x.example,00012345\n',
    ['Column 1', 'Email', 'Column 3'],
  ],
  [
    'phone numbers beside numbers of orders',
    'a@x.example,0171 5554433,2024-000123\nb@x.example,,2024-000124',
    ['Email', 'Phone', 'Column 3'],
  ],
  [
    'few addresses',
    'Ida;ida@x.example;0171 5554433\nBo;keine;0171 5554434\nCy;keine;0171 5554435',
    ['Column 1', 'Email', 'Phone'],
  ],
])('a file without a header is read from its first row on: %s', async (_, text, header) => {
  const { summary, contacts } = await readText(text)
  expect(summary).toMatchObject({ headless: true, header, understood: false })
  expect(summary.rows).toBe(text.trim().split('\n').length)
  expect(summary.samples[0]?.row).toBe(1)
  if (!header.includes('Email') || !header.includes('Phone')) expect(contacts).toHaveLength(summary.rows)
})

test.each([
  ['an address that no value resembles', 'Kunde,crm@acme.example\nIda,Yes\nBo,No', []],
  ['an address beside the addresses', 'Kunde,An info@acme.example,Adr\nIda,x,ida@x.example\n', ['ida@x.example']],
  ['an address over no values', 'Kunde,Adr,crm@acme.example\nIda,ida@x.example,\n', ['ida@x.example']],
  ['an @ in a word', 'Kunde,E-M@il\nIda,ida@x.example\n', ['ida@x.example']],
  ['an address and two known heads', 'First name,Company,box@x.example\nIda,A,ida@x.example\n', ['ida@x.example']],
  ['unknown heads over addresses', 'Kunde,Kontaktdaten\nIda,ida@x.example\nBo,', ['ida@x.example']],
  ['unknown heads over phone numbers', 'Kunde,Rufnr\nIda,0171 5554433\n', ['0171 5554433']],
  ['unknown heads over customer numbers', 'Kunde,Kundennr\nIda,7654321\n', []],
  ['a date', 'Kunde,Rufnr,2024-01-15\nIda,0171 5554433,5\n', ['0171 5554433']],
  ['a title above a header with one known column', 'Kundenliste 2024,\nRabatt,Phone\n5,0171 5554433\n', []],
  ['unknown heads over postcodes', 'Kunde,Ort,PLZ\nIda,LA,90210-1234\n', []],
  ['the heads of this app', 'Kunde,box@acme.example,Left out because\nBo,b@x.example,x\n', ['b@x.example']],
  ['a long number over short ones', 'Kunde,Rufnr,20240115\nIda,0171 5554433,5\n', ['0171 5554433']],
])(
  'a header is not imported as a contact, and a column that identifies contacts is found by its values: %s',
  async (_, text, expected) => {
    const { summary, contacts } = await readText(text)
    expect(summary).toMatchObject({ headless: false, understood: false })
    expect(summary.rows).toBe(text.trim().split('\n').length - 1)
    expect(contacts).toEqual(expected)
  },
)

test('if no head names email addresses or phone numbers, the person must check the columns before the import, even if each head is known', async () => {
  const { summary } = await openText('First name,Tags\nIda,ida@x.example\n')
  expect(summary).toMatchObject({ understood: false, columns: { ...noColumns, first_name: 0, tags: 1 } })
  const guessed = await openText('First name,\nIda,ida@x.example\n')
  expect(guessed.summary).toMatchObject({ understood: false, columns: { ...noColumns, first_name: 0, email: 1 } })
})

test('the line that names the delimiter is not read as the first row', async () => {
  const { summary } = await openText('sep=;\nIda;0171 5554433\nBo;0171 5554434\n')
  expect(summary).toMatchObject({ rows: 2, headless: true, header: ['Column 1', 'Phone'] })
})

test('the first row is read as a contact or as the header, as the person chooses', async () => {
  const { file, summary } = await openText('Ida,,Nordhafen\nBo,bo@x.example,\nCy,cy@x.example,A,B\n')
  expect(summary).toMatchObject({ rows: 2, headless: false, header: ['Ida', 'Column 2', 'Nordhafen'] })
  const asContact = await file.readFirstRowAs(true)
  expect(asContact).toMatchObject({
    ok: true,
    summary: {
      rows: 3,
      headless: true,
      understood: false,
      header: ['Column 1', 'Email', 'Column 3'],
      tooWide: { count: 1, first: 3 },
      samples: [{ row: 1 }, { row: 2 }, { row: 3 }],
    },
  })
  const columns = { ...noColumns, first_name: 0, email: 1 }
  const { rows, skipped } = await file.next(500, columns)
  expect(rows.map(({ row, email }) => [row, email])).toEqual([
    [2, 'bo@x.example'],
    [3, 'cy@x.example'],
  ])
  expect(skipped).toEqual([{ row: 1, content: 'Ida, –, Nordhafen', reason: 'Email or phone number is required' }])
  const text = await (await file.correctionFile(new Map([[1, { reason: 'x' }]]), columns)).text()
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    'Column 1,Email,Column 3,Left out because',
    'Ida,,Nordhafen,Row 1: x',
  ])
})

test('a first row that was taken for a contact can be read as the header', async () => {
  const { file, summary } = await openText('Kunde,box@acme.example\nIda,ida@x.example\n')
  expect(summary).toMatchObject({ rows: 2, headless: true })
  const asHeader = await file.readFirstRowAs(false)
  expect(asHeader).toMatchObject({ summary: { rows: 1, headless: false, header: ['Kunde', 'box@acme.example'] } })
  const { rows } = await file.next(500, { ...noColumns, email: 1 })
  expect(rows.map(({ row, email }) => [row, email])).toEqual([[2, 'ida@x.example']])
})

test('a column with both email addresses and phone numbers is mapped to one field only', async () => {
  const { summary } = await openText('Kunde,Kontaktdaten\nIda,ida@x.example\nBo,0171 5554433\n')
  expect(summary.columns).toEqual({ ...noColumns, email: 1 })
})

test('a long cell in the column of addresses is read quickly', async () => {
  const { summary } = await openText(`Kunde,Adr\nIda,ida@x.example\nBo,${'a'.repeat(60_000)} @x\n`)
  expect(summary).toMatchObject({ rows: 2, columns: { email: 1 } })
})
