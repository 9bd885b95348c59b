import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createPerson, expect, expectAccessible, openAs, type Person, test, toastOf } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { chooseFile } from './csv-seeds.ts'

const today = () => new Date().toLocaleDateString('sv-SE')

/**
 * Adds two contacts. One has values that a file may lose: tags, a phone number, a formula, a list of options, a text of two lines. Returns
 * the ids of the custom fields.
 */
async function addContacts(person: Person) {
  const defineField = (label: string, type: string, more = {}) =>
    insertRow(person, 'custom_fields', { table: 'contacts', label, type, ...more })
  const options = [
    { id: 'a', label: 'Ales, dark' },
    { id: 'b', label: 'Beer' },
  ]
  const fieldIds = {
    spend: await defineField('Annual spend', 'money', { currency: 'EUR' }),
    renewal: await defineField('Renewal', 'date'),
    isActive: await defineField('Category', 'yes_no'),
    topics: await defineField('Topics', 'choices', { options }),
    story: await defineField('Story', 'long_text'),
  }
  const company_id = await insertRow(person, 'companies', { name: 'Größe, Söhne' })
  const tag_ids = [await insertRow(person, 'tags', { name: 'VIP' }), await insertRow(person, 'tags', { name: 'Press' })]
  const custom = {
    [fieldIds.spend]: -1234.5,
    [fieldIds.renewal]: '2026-12-07',
    [fieldIds.isActive]: false,
    [fieldIds.topics]: ['a', 'b'],
    [fieldIds.story]: 'One "line"\nand two',
  }
  const meisColumns = {
    email: 'mei@copperline.example',
    first_name: '=Mei',
    last_name: "O'Neill",
    phone: '+49 30 1234',
    title: '-',
    company_id,
  }
  await insertRow(person, 'contacts', { ...meisColumns, tag_ids, custom })
  await insertRow(person, 'contacts', { phone: '+44 20 99' })
  return fieldIds
}

const storedContacts = async ({ client, brandId }: Person) =>
  (await client.from('contacts').select('*').eq('brand_id', brandId).order('created_at')).data

async function exportFile(page: Page, button = page.getByRole('button', { name: 'Export', exact: true })) {
  const download = page.waitForEvent('download')
  await button.click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('an exported file that is imported again changes nothing; a file with labels as column names changes fields, and its undo restores them', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  const fieldIds = await addContacts(person)
  const contactsBefore = await storedContacts(person)
  await openAs(page, person, '/crm/contacts')
  const { name, text } = await exportFile(page)
  await expect(toastOf(page)).toContainText('2 contacts exported')
  expect(name).toMatch(new RegExp(`^contacts-harbour[a-z0-9-]*-${today()}\\.csv$`))
  expect(
    text.startsWith(
      '\uFEFFEmail,First name,Last name,Phone,Job title,Company,Tags,Annual spend,Renewal,Category,Topics,Story,',
    ),
  ).toBe(true)
  expect(text).toContain(
    `mei@copperline.example,'=Mei,O'Neill,'+49 30 1234,'-,"Größe, Söhne",Press; VIP,'-1234.5,2026-12-07,No,"Ales, dark; Beer","One ""line""\nand two",`,
  )

  // The file contains only the rows that the list shows, or only the selected ones.
  await page.getByRole('searchbox', { name: 'Search contacts...' }).fill('copperline')
  await expect(page.getByText('1 contact', { exact: true })).toBeVisible()
  expect((await exportFile(page)).text.split('\r\n')).toHaveLength(3)
  await page.getByRole('searchbox', { name: 'Search contacts...' }).fill('')
  await page
    .getByRole('row', { name: /\+44 20 99/ })
    .getByRole('checkbox')
    .check()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const selectedExport = await exportFile(page, bar.getByRole('button', { name: 'Export' }))
  expect(selectedExport.text).toContain("'+44 20 99")
  expect(selectedExport.text).not.toContain('copperline')
  await expectAccessible(page)

  await page.goto('/crm/import-contacts')
  await chooseFile(page, name, text)
  const columns = page.getByRole('list', { name: 'Check the columns' })
  await expect(columns.getByRole('combobox', { name: 'Category becomes' })).toHaveText('Category')
  await expect(columns.getByRole('combobox', { name: 'Owner becomes' })).toHaveText('Left out')
  await expect(page.getByRole('region', { name: 'First contacts' })).toContainText('-€1,234.50')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('0 added, 2 known before.')).toBeVisible()
  expect(await storedContacts(person)).toEqual(contactsBefore)

  // Another person's file has labels and local number formats, and a cell that cannot be read.
  await page.getByRole('button', { name: 'Import another file' }).click()
  await chooseFile(
    page,
    'fields.csv',
    'E-Mail;Annual Spend;topics;Renewal;Comment\nMEI@copperline.example;1.200,50 €;beer;soon;x\nnew@copperline.example;12k;;;x\n',
  )
  // The cell is shown as it is in the file, not as if it were empty.
  await expect(page.getByRole('region', { name: 'First contacts' }).getByRole('cell', { name: 'soon' })).toHaveText(
    'Not readable:soon',
  )
  await expect(page.getByRole('list', { name: 'Not readable' }).getByRole('listitem')).toHaveText([
    /^Row 2, Renewal “soon”: Type a date/,
  ])
  await expect(page.getByText('One value is not readable and is left out; the rows are imported.')).toBeVisible()
  await expectAccessible(page)
  const changes = page.getByRole('list', { name: '1 known contact changes' })
  await expect(changes).toContainText('Annual spend: -€1,234.50 →becomes €1,200.50')
  await expect(changes).toContainText('Topics: Ales, dark, Beer →becomes Beer')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('One value was left out; its row was imported.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Values left out' }).getByRole('row').last()).toHaveText(
    /^2Renewal: soonType a date/,
  )
  await expectAccessible(page)
  expect((await storedContacts(person))?.[0]?.custom).toMatchObject({
    [fieldIds.spend]: 1200.5,
    [fieldIds.topics]: ['b'],
    [fieldIds.renewal]: '2026-12-07',
  })
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete and restore' }).click()
  await expect(
    page.getByRole('region', { name: 'Import' }).getByRole('heading', { name: 'Import undone' }),
  ).toBeVisible()
  expect((await storedContacts(person))?.map(({ custom, tag_ids }) => [custom, tag_ids])).toEqual(
    contactsBefore?.map(({ custom, tag_ids }) => [custom, tag_ids]),
  )
})
