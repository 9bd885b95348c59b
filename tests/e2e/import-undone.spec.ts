import { createPerson, expect, expectAccessible, test, toastOf } from '../harness/browser.ts'
import { chooseFile } from './csv-seeds.ts'
import { importCompleteText, contactsOf, openImport } from './import-page.ts'

test('the columns of a German file are recognised and can be changed before the import; the import can be undone', {
  tag: '@long',
}, async ({ page, server }) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await person.client.rpc('upsert_contact', {
    p_brand_id: person.brandId,
    p_email: 'known@acme.example',
    p_last: 'Now',
  })
  await openImport(page, person)
  await chooseFile(
    page,
    'messe.csv',
    'Vorname;Nachname;E-Mail-Adresse;Telefon;Position;Firma\nIda;Holm;ida@acme.example;040 12345;Einkauf;Nordhafen\nUta;Hof;;040 12345;;Uta KG\n;Past;known@acme.example;;;\n',
  )
  await expect(toastOf(page)).toContainText(importCompleteText(3, 0))
  await expect(page.getByText('2 added, 1 known before, of which 1 got values of the file.')).toBeVisible()
  const changedContacts = page.getByRole('region', { name: '1 known contact changed' })
  await expect(changedContacts.getByRole('listitem')).toHaveText('NowLast name: Now →becomes Past')
  await expect(changedContacts.getByRole('button', { name: 'Undo import' })).toBeVisible()
  await expectAccessible(page)
  const columns = 'email, phone, first_name, last_name, title, companies(name)'
  const storedContacts = async () => (await person.client.from('contacts').select(columns).order('first_name')).data
  expect((await storedContacts())?.slice(0, 2)).toEqual([
    {
      email: 'ida@acme.example',
      phone: '040 12345',
      first_name: 'Ida',
      last_name: 'Holm',
      title: 'Einkauf',
      companies: { name: 'Nordhafen' },
    },
    {
      email: null,
      phone: '040 12345',
      first_name: 'Uta',
      last_name: 'Hof',
      title: null,
      companies: { name: 'Uta KG' },
    },
  ])

  // Columns that were not recognised are shown first, and can be changed.
  await page.getByRole('button', { name: 'Import another file' }).click()
  await chooseFile(
    page,
    'crm.csv',
    'Wer;Adresse;E-Mail 2;Notiz\nAnna Schmidt;anna@acme.example;x@acme.example;VIP\nBo Ek;;X@acme.example;\nIna Past;KNOWN@acme.example;;\n',
  )
  await expect(page.getByRole('heading', { name: 'Check the columns' })).toBeVisible()
  await expect(page.getByText('3 columns are left out. Choose what they become, or continue without.')).toBeVisible()
  const mapColumn = async (head: string, field: string) => {
    await page.getByRole('combobox', { name: `${head} becomes` }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
  }
  const repeatedHint = page.getByText('1 row is for the same contact as an earlier row of the file.')
  await expect(repeatedHint).toBeVisible()
  await mapColumn('Adresse', 'Email')
  await expect(repeatedHint).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'E-Mail 2 becomes' })).toHaveText('Left out')
  await mapColumn('Wer', 'Full name')
  const changes = page.getByRole('region', { name: '1 known contact changes' })
  await expect(changes.getByRole('listitem')).toHaveText('PastFirst name: – →becomes Ina')
  const previewRows = page.getByRole('region', { name: 'First contacts' }).getByRole('row')
  await expect(previewRows.nth(1)).toHaveText('Anna Schmidtanna@acme.example')
  await expect(previewRows.nth(2)).toHaveText('Skipped: Email or phone number is required')
  await expectAccessible(page)
  await mapColumn('Adresse', 'Left out')
  await expect(page.getByText(/a contact needs one of them/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toHaveAttribute('aria-disabled', 'true')
  await mapColumn('Adresse', 'Email')
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await expect(page.getByText(importCompleteText(2, 1)).first()).toBeVisible()
  await expect(page.getByText('Left out: E-Mail 2, Notiz.')).toBeVisible()

  // The import can be undone from the report and by Ctrl+Z. Both ask first.
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('button', { name: 'Delete and restore' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('Undo the import of crm.csv?')
  await expect(toastOf(page)).toContainText('1 contact that it added is deleted, and the companies')
  await toastOf(page).getByRole('button', { name: 'Undo import' }).click()
  const report = page.getByRole('region', { name: 'Import' })
  await expect(report.getByRole('heading', { name: 'Import undone' })).toBeVisible()
  await expect(report.getByText('Deleted: 1 contact. Restored: 1 contact.')).toBeVisible()
  await expect(report.getByText('Import Complete')).toHaveCount(0)
  await expect(changedContacts).toHaveCount(0)
  await expect(report.getByRole('button', { name: 'Undo import' })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).not.toContainText('crm.csv')

  // An import is undone later, from the list of imports, after one of its contacts was changed.
  await person.client.from('contacts').update({ title: 'Chefin' }).eq('first_name', 'Uta')
  await page.goto('/crm/import-contacts')
  const earlierImports = page.getByRole('region', { name: 'Earlier imports' })
  await expect(earlierImports.getByRole('listitem').first()).toContainText(/crm\.csv.*you · undone, 1 contact deleted/)
  await earlierImports.getByRole('button', { name: 'Undo import of messe.csv' }).click()
  await expect(page.getByText('1 contact stays: it was changed since, or a deal or task refers to it.')).toBeVisible()
  await expect(
    page.getByText('1 contact that was there before gets back the values that the import changed.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete and restore' }).click()
  await expect(toastOf(page)).toContainText('Deleted: 1 contact and 1 company. Restored: 1 contact. 1 contact stays')
  await expect(earlierImports.getByRole('listitem').nth(1)).toContainText(
    'undone, 1 contact deleted, 1 contact restored',
  )
  await expect(earlierImports.getByRole('button')).toHaveCount(0)
  expect((await storedContacts())?.map(({ first_name, email }) => first_name ?? email)).toEqual([
    'Uta',
    'known@acme.example',
  ])
  expect((await contactsOf(person)).get('known@acme.example')?.last_name).toBe('Now')
  await page.getByRole('link', { name: 'Contacts', exact: true }).first().click()
  await expect(page.getByText('2 contacts')).toBeVisible()

  // If all contacts were changed since the import, the dialog says that there is nothing to undo. If only a company is left, the undo deletes it.
  await page.goto('/crm/import-contacts')
  await chooseFile(page, 'late.csv', 'Email,First Name,Company\nlate@acme.example,Lea,Late Co\n')
  await expect(page.getByText(importCompleteText(1, 0)).first()).toBeVisible()
  await person.client.from('contacts').update({ title: 'Chefin' }).eq('first_name', 'Lea')
  await page.getByRole('button', { name: 'Undo import' }).click()
  const nothingDialog = page.getByRole('dialog', { name: 'Nothing to undo' })
  await expect(nothingDialog).toContainText('Nothing of this import can be undone now.1 contact stays')
  await expect(nothingDialog.getByRole('button', { name: /Delete|Restore|Cancel/ })).toHaveCount(0)
  await expect(nothingDialog.getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(nothingDialog).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(toastOf(page)).toContainText('The import of late.csv cannot be undone')
  await expect(toastOf(page).getByRole('button', { name: 'Undo import' })).toHaveCount(0)
  await person.client.from('contacts').delete().eq('first_name', 'Lea')
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('button', { name: 'Delete 1 company' }).click()
  await expect(toastOf(page)).toContainText('Import undone')
  await expect(toastOf(page)).toContainText('1 company')
})
