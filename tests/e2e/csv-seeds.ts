import { Buffer } from 'node:buffer'
import { writeFile } from 'node:fs/promises'
import { type Page, test } from '@playwright/test'

/** A row as it should stand in the database; `email` null: the row has none. */
export interface CsvPerson {
  email: string | null
  first_name: string
  last_name: string
  company: string
}

const firsts = [
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
const lasts = [
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

/** Made-up people with everything in their fields that CSV must quote; `without` rows have no e-mail, `twice` addresses come again in other case. */
export function makePeople(options: { rows: number; without: number; twice: number }): CsvPerson[] {
  const { rows, without, twice } = options
  const people: CsvPerson[] = Array.from({ length: rows - twice }, (_, index) => ({
    email: index < without ? null : `Person.${index}@example-${index % 40}.example`,
    first_name: firsts[index % firsts.length] ?? '',
    last_name: `${lasts[index % lasts.length]} ${index}`,
    company: `${companies[index % companies.length]} ${index % 60}`,
  }))
  for (const person of people.slice(without, without + twice)) {
    people.push({ ...person, email: person.email?.toUpperCase() ?? null, first_name: `${person.first_name} II` })
  }
  // Spread, so that those without an e-mail are not all at the top.
  return people.map((_, index) => people[(index * 7919) % people.length] as CsvPerson)
}

/** The CSV of these people, all fields quoted where they must be. */
export function csvOf(people: readonly CsvPerson[], newline = '\r\n'): string {
  const cell = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const lines = people.map(({ email, first_name, last_name, company }) =>
    [email ?? '', first_name, last_name, company].map(cell).join(','),
  )
  return ['email,first_name,last_name,company', ...lines, ''].join(newline)
}

/** Gives a file to the page by way of the disk, as a real one comes: handed over in memory it would pass through the page's thread. */
export async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, content)
  await page.getByLabel('CSV file').setInputFiles(path)
}
