import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/** Creates a brand with its owner and an admin. */
async function ownerAndAdmin(server: TestServer) {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const admin = await createPerson(server, { name: 'bo' })
  const args = { p_brand_id: owner.brandId, p_email: admin.email, p_role: 'admin' }
  const { error } = await owner.client.rpc('add_brand_member_by_email', args)
  if (error) throw new Error(error.message)
  return { owner, admin }
}

const memberLine = (page: Page, email: string) =>
  page.getByRole('region', { name: 'Team Members' }).getByRole('listitem').filter({ hasText: email })

test('spec 6: Only admins and owners may add members; otherwise the server answers NOT_AUTHORIZED. (an admin adds one)', async ({
  page,
  server,
}) => {
  const { admin } = await ownerAndAdmin(server)
  const eve = await createPerson(server, { name: 'eve' })
  await openAs(page, admin, '/crm/settings')
  await page.getByLabel('Email').fill(eve.email)
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(toastOf(page)).toContainText('Member added successfully!')
  await expect(memberLine(page, eve.email).getByText('Member', { exact: true })).toBeVisible()
})

test('spec 6: The interface offers member and admin for invites.', async ({ page, server }) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const eve = await createPerson(server, { name: 'eve' })
  await openAs(page, owner, '/crm/settings')
  await page.getByRole('combobox', { name: 'Role' }).click()
  await expect(page.getByRole('option')).toHaveText(['Member', 'Admin'])
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByLabel('Email').fill(eve.email)
  const addRequest = page.waitForRequest(/rpc\/add_brand_member_by_email/)
  await page.keyboard.press('Enter')
  expect((await addRequest).postDataJSON()).toMatchObject({ p_email: eve.email, p_role: 'admin' })
  await expect(memberLine(page, eve.email).getByText('Admin', { exact: true })).toBeVisible()
})

test('spec 9: Default member role member', async ({ page, server }) => {
  await openAs(page, await createPerson(server, { brand: 'Harbour' }), '/crm/settings')
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveText('Member')
})

test("spec 8: Members: other 'Error adding member' (with the message of the server)", async ({ page, server }) => {
  const { owner } = await ownerAndAdmin(server)
  await openAs(page, owner, '/crm/settings')
  await page.route('**/rpc/add_brand_member_by_email', (route) =>
    route.fulfill({ status: 400, json: { code: 'P0001', message: 'The brand is full', details: null, hint: null } }),
  )
  await page.getByLabel('Email').fill('eve@acme.example')
  await page.getByRole('button', { name: 'Add member' }).click()
  await expect(toastOf(page)).toContainText('Error adding member')
  await expect(toastOf(page)).toContainText('The brand is full')
  await expect(page.getByLabel('Email')).toHaveValue('eve@acme.example')
})
