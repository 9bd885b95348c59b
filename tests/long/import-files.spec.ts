import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test } from '../harness/browser.ts'
import { longestTask } from '../harness/longest-task.ts'
import { chooseFile, csvOf, makePeople } from '../e2e/csv-seeds.ts'

async function openImport(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/crm/import-contacts')
  await page.getByRole('button', { name: 'Choose File', exact: true }).waitFor()
}

/** Returns the brand's contacts, with the names of their companies, by their e-mail address in lower case. */
async function contactsOf(person: Person) {
  const rows: { email: string; first_name: string; last_name: string; companies: { name: string } | null }[] = []
  for (let from = 0; ; from += 1000) {
    const { data, error } = await person.client
      .from('contacts')
      .select('email, first_name, last_name, companies(name)')
      .eq('brand_id', person.brandId)
      .order('id')
      .range(from, from + 999)
      .overrideTypes<typeof rows, { merge: false }>()
    if (error) throw new Error(error.message)
    rows.push(...data)
    if (data.length < 1000) return new Map(rows.map((row) => [row.email.toLowerCase(), row]))
  }
}

const resultText = (imported: number, errors: number) => `Successfully imported ${imported} contacts. ${errors} errors.`

test('a CSV file with 100,000 columns, repeated columns or 10,000 equal rows is imported, and a field of 10 MB is refused, while the page stays responsive', async ({
  page,
  server,
}) => {
  await openImport(page, await createPerson(server, { brand: 'Harbour' }))
  const columnNames = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',')
  const { busy } = await longestTask(page, async () => {
    for (const [name, content, imported, errors, mustConfirm] of [
      ['columns.csv', `email,${columnNames}\nwide@acme.example,x\n`, 1, 0, true],
      ['field.csv', `email,company\nlong@acme.example,"${'x'.repeat(10_000_000)}"\n`, 0, 1, false],
      ['proto.csv', 'email,__proto__,constructor,email\nproto@acme.example,1,2,other@acme.example\n', 1, 0, true],
      ['same.csv', `email\n${'same@acme.example\n'.repeat(10_000)}`, 10_000, 0, false],
    ] as const) {
      await chooseFile(page, name, content)
      if (mustConfirm) await page.getByRole('button', { name: 'Import 1 row' }).click({ timeout: 30_000 })
      await expect(page.getByRole('heading', { name: 'Import Complete' })).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText(resultText(imported, errors)).first()).toBeVisible()
      await page.getByRole('button', { name: 'Import another file' }).click()
    }
  })
  expect(busy).toBeLessThan(200)
})

test('without a web worker the page reads the file itself, in small steps', async ({ page, server }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  const person = await createPerson(server, { brand: 'Harbour' })
  await openImport(page, person)
  const csv = csvOf(makePeople({ rows: 3_000, without: 9, twice: 0 }))
  const { busy } = await longestTask(page, async () => {
    await chooseFile(page, 'here.csv', csv)
    await expect(page.getByText(resultText(2991, 9)).first()).toBeVisible({ timeout: 30_000 })
  })
  expect(busy).toBeLessThan(200)
  expect((await contactsOf(person)).size).toBe(2991)
})
