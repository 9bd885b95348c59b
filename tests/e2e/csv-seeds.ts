import { Buffer } from 'node:buffer'
import { writeFile } from 'node:fs/promises'
import { type Page, test } from '@playwright/test'

/**
 * A person in one row of a CSV file, with the values that the database should have after the import. If `email` is null, the row has no e-mail
 * address, and the import skips it.
 */
export interface CsvPerson {
  email: string | null
  first_name: string
  last_name: string
  company: string
}

const firstNames = [
  'Zoë',
  'Siân',
  'O’Brien',
  "D'Arcy",
  'José María',
  'Łukasz',
  '美咲',
  'Ana "Annie"',
  'Jean-Luc',
  'Наталья',
]
const lastNames = [
  'Müller',
  'van der Berg, Jr.',
  'Ñúñez',
  'Smith;Jones',
  'Ødegård',
  '田中',
  'Mac\tTab',
  'two\nlines',
  'crlf\r\nname',
]
const companies = ['Größe & Söhne, GmbH', '"Quoted" Ltd', 'Linden Health\nNHS Trust', 'Café, Bar; Co', 'Ünïcode ✓ 😀']

/**
 * Returns invented people. Some of their fields must be quoted in CSV. `rows`: number of all rows. `without`: number of rows without an
 * e-mail address. `twice`: number of rows that repeat the e-mail address of another row in upper case.
 */
export function makePeople(options: { rows: number; without: number; twice: number }): CsvPerson[] {
  const { rows, without, twice } = options
  const people: CsvPerson[] = Array.from({ length: rows - twice }, (_, index) => ({
    email: index < without ? null : `Person.${index}@example-${index % 40}.example`,
    first_name: firstNames[index % firstNames.length] ?? '',
    last_name: `${lastNames[index % lastNames.length]} ${index}`,
    company: `${companies[index % companies.length]} ${index % 60}`,
  }))
  for (const person of people.slice(without, without + twice)) {
    people.push({ ...person, email: person.email?.toUpperCase() ?? null, first_name: `${person.first_name} II` })
  }
  // Shuffles the rows, so that those without an e-mail address are not all at the top.
  return people.map((_, index) => people[(index * 7919) % people.length] as CsvPerson)
}

/** Returns the CSV of these people, with a header row. Fields are quoted where needed. */
export function csvOf(people: readonly CsvPerson[], newline = '\r\n'): string {
  const cell = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const lines = people.map(({ email, first_name, last_name, company }) =>
    [email ?? '', first_name, last_name, company].map(cell).join(','),
  )
  return ['email,first_name,last_name,company', ...lines, ''].join(newline)
}

/** Writes a file to the disk and chooses it for the import. A file from memory would pass through the page's main thread. */
export async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  await page.getByLabel('CSV file').setInputFiles(path)
}
