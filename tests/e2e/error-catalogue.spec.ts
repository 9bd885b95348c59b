import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  createPerson,
  expect,
  newEmail,
  openAs,
  type Person,
  signInByScreen,
  signUpByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'
import { chooseFile } from './csv-seeds.ts'
import { cardsOf, columnOf, openBoard, personWithDeals, runAsOwnerRole, stageOnServer } from './deal-seeds.ts'

/** Checks a toast's kind, title and text, and dismisses it. */
async function expectToast(
  page: Page,
  kind: 'success' | 'error',
  title: string,
  text?: string | RegExp,
): Promise<void> {
  const lines = toastOf(page).getByRole('paragraph')
  await expect(toastOf(page)).toHaveAttribute('data-toast', kind)
  await expect(lines).toHaveText(text === undefined ? [title] : [title, text])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toastOf(page)).toHaveCount(0)
}

/** Adds a trigger that refuses inserts and updates of this brand's rows in the table with a message. Returns a function that removes the trigger. */
async function addRefusal(server: TestServer, { brandId }: Person, table: string, message: string) {
  const name = `refuse_${randomUUID().replaceAll('-', '')}`
  await runAsOwnerRole(
    server,
    `create function private.${name}() returns trigger language plpgsql as $$ begin raise exception '${message}'; end $$`,
  )
  await runAsOwnerRole(
    server,
    `create trigger ${name} before insert or update on public.${table} for each row
     when (new.brand_id = '${brandId}') execute function private.${name}()`,
  )
  return () => runAsOwnerRole(server, `drop function private.${name}() cascade`)
}

test("spec 8: Sign-in failure: toast with server message; Sign-in: success 'Welcome back!'; the form keeps what was typed", async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await page.goto('/auth')
  await signInByScreen(page, ana.email, 'wrong password')
  await expectToast(page, 'error', 'Invalid login credentials')
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByLabel('Email')).toHaveValue(ana.email)
  await signInByScreen(page, ana.email, ana.password)
  await expectToast(page, 'success', 'Welcome back!')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test("spec 8: Sign-up failure: toast with server message; Sign-up: success 'Account created! Welcome aboard!'", async ({
  page,
  server,
}) => {
  const ana = await createPerson(server)
  await page.goto('/auth')
  await signUpByScreen(page, ana.email, 'another password')
  await expectToast(page, 'error', 'User already registered')
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByLabel('Email')).toHaveValue(ana.email)
  await page.getByLabel('Email').fill(newEmail())
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expectToast(page, 'success', 'Account created! Welcome aboard!')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test("spec 8: Brand: duplicate 'Brand name already exists' / 'Please choose a different name.'; other failure 'Error creating brand' with message or 'Please try again.'; success 'Brand created successfully!'", async ({
  page,
  server,
  context,
}) => {
  const otherOwner = await createPerson(server, { brand: 'Taken' })
  const ana = await createPerson(server)
  await openAs(page, ana, '/select-brand')
  const name = page.getByLabel('Brand name')
  await name.fill(otherOwner.brandName)
  await page.keyboard.press('Enter')
  await expectToast(page, 'error', 'Brand name already exists', 'Please choose a different name.')
  await expect(name).toHaveValue(otherOwner.brandName)

  const newName = `Fathom ${randomUUID().slice(0, 6)}`
  await name.fill(newName)
  await context.setOffline(true)
  await page.keyboard.press('Enter')
  await expectToast(
    page,
    'error',
    'Error creating brand',
    'The server does not answer. Check your connection and try again.',
  )
  await expect(name).toHaveValue(newName)
  await context.setOffline(false)

  // The database refuses the brand with an empty message.
  await runAsOwnerRole(
    server,
    `create function private.refuse_brand() returns trigger language plpgsql as $$ begin raise exception using message = ''; end $$;
     create trigger refuse_brand before insert on public.brands for each row when (new.name = '${newName}') execute function private.refuse_brand()`,
  )
  await page.getByRole('button', { name: 'Create Brand' }).click()
  await expectToast(page, 'error', 'Error creating brand', 'Please try again.')
  await expect(name).toHaveValue(newName)
  await runAsOwnerRole(server, 'drop function private.refuse_brand() cascade')

  await page.getByRole('button', { name: 'Create Brand' }).click()
  await expectToast(page, 'success', 'Brand created successfully!')
  await expect(page).toHaveURL(/\/crm\/overview$/)
  const { data } = await ana.client.from('brands').select('name')
  expect(data).toEqual([{ name: newName }])
})

test("spec 8: Deal move: failure 'Error moving deal' with message, then board reloads; success 'Deal moved successfully' (refused by the database)", async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name: 'Acme renewal' }])
  await openBoard(page, person)
  const removeRefusal = await addRefusal(server, person, 'deals', 'The books are closed')
  await cardsOf(page, 'Acme renewal').focus()
  const reloadRequest = page.waitForRequest((request) => /\/rpc\/(pull|board)/.test(request.url()))
  await page.keyboard.press('Shift+ArrowRight')
  await expectToast(page, 'error', 'Error moving deal', 'The books are closed')
  await reloadRequest
  await expect(cardsOf(columnOf(page, 'Incoming'), 'Acme renewal')).toBeVisible()
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Incoming')
  await removeRefusal()
  await cardsOf(page, 'Acme renewal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expectToast(page, 'success', 'Deal moved successfully')
  await expect(cardsOf(columnOf(page, 'Qualified'), 'Acme renewal')).toBeVisible()
  expect(await stageOnServer(person, 'Acme renewal')).toBe('Qualified')
})

/** A dialog that adds a record. After a refusal it keeps its input; after a success it closes and is empty when opened again. */
interface DialogRow {
  title: string
  table: string
  path: string
  /** The names of the buttons that open and submit the dialog. `opens` is also the title of the dialog. */
  opens: string
  submits: string
  fields: readonly [label: string, text: string][]
  error: string
  success: string
}

const dialogs: readonly DialogRow[] = [
  {
    title:
      "spec 8: Deal create: 'Error creating deal' with message; success 'Deal created', dialog closes, form resets",
    table: 'deals',
    path: '/crm/deals',
    opens: 'New Deal',
    submits: 'Create Deal',
    fields: [
      ['Deal name', 'Depot lighting'],
      ['Amount', '250'],
    ],
    error: 'Error creating deal',
    success: 'Deal created',
  },
  {
    title: "spec 8: Contact: 'Error adding contact'; success 'Contact added'",
    table: 'contacts',
    path: '/crm/contacts',
    opens: 'Add Contact',
    submits: 'Add Contact',
    fields: [
      ['Email', 'ida@nordhafen.example'],
      ['First name', 'Ida'],
    ],
    error: 'Error adding contact',
    success: 'Contact added',
  },
  {
    title: "spec 8: Company: 'Error adding company'; success 'Company added'",
    table: 'companies',
    path: '/crm/companies',
    opens: 'Add Company',
    submits: 'Add Company',
    fields: [
      ['Company name', 'Nordhafen GmbH'],
      ['Notes', 'Calls before ten'],
    ],
    error: 'Error adding company',
    success: 'Company added',
  },
  {
    title: "spec 8: Company: 'Error adding company'; success 'Company added successfully!' (from the overview)",
    table: 'companies',
    path: '/crm/overview',
    opens: 'Add Company',
    submits: 'Add Company',
    fields: [['Company name', 'Nordhafen GmbH']],
    error: 'Error adding company',
    success: 'Company added successfully!',
  },
  {
    title: "spec 8: Task: 'Error creating task'; success 'Task created'",
    table: 'tasks',
    path: '/crm/tasks',
    opens: 'New Task',
    submits: 'Create Task',
    fields: [['Task title', 'Call back']],
    error: 'Error creating task',
    success: 'Task created',
  },
]

for (const { title, table, path, opens, submits, fields, error, success } of dialogs) {
  test(title, async ({ page, server }) => {
    const person = await createPerson(server, { brand: 'Harbour' })
    await openAs(page, person, path)
    await page.getByRole('button', { name: opens, exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: opens })
    for (const [label, text] of fields) await dialog.getByLabel(label, { exact: true }).fill(text)
    const removeRefusal = await addRefusal(server, person, table, 'The books are closed')
    await dialog.getByRole('button', { name: submits, exact: true }).click()
    await expectToast(page, 'error', error, 'The books are closed')
    for (const [label, text] of fields) await expect(dialog.getByLabel(label, { exact: true })).toHaveValue(text)
    expect((await person.client.from(table).select('id')).data).toEqual([])
    await removeRefusal()
    await dialog.getByRole('button', { name: submits, exact: true }).click()
    await expectToast(page, 'success', success)
    await expect(dialog).toHaveCount(0)
    expect((await person.client.from(table).select('id')).data).toHaveLength(1)
    await page.getByRole('button', { name: opens, exact: true }).first().click()
    for (const [label] of fields) await expect(dialog.getByLabel(label, { exact: true })).toHaveValue('')
  })
}

test("spec 8: Task: 'Failed to update task' (refused by the database; the task stays as it was)", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await person.client.from('tasks').insert({ brand_id: person.brandId, title: 'Call back' })
  await openAs(page, person, '/crm/tasks')
  const box = page.getByRole('checkbox', { name: 'Complete Call back' })
  await expect(box).not.toBeChecked()
  const removeRefusal = await addRefusal(server, person, 'tasks', 'The books are closed')
  await box.click()
  await expectToast(page, 'error', 'Failed to update task', 'The books are closed')
  await expect(box).not.toBeChecked()
  expect((await person.client.from('tasks').select('status')).data).toEqual([{ status: 'open' }])
  await removeRefusal()
  await box.click()
  await expectToast(page, 'success', 'Task completed!', 'Call back')
  expect((await person.client.from('tasks').select('status')).data).toEqual([{ status: 'done' }])
})

test("spec 8: Members: load failure 'Error loading members'; NOT_AUTHORIZED 'Only admins and owners can add members'; USER_NOT_FOUND 'User with this email not found. They must sign up first.'; other 'Error adding member'; success 'Member added successfully!'", async ({
  page,
  server,
}) => {
  const owner = await createPerson(server, { brand: 'Harbour' })
  const [admin, eve] = [await createPerson(server, { name: 'bo' }), await createPerson(server, { name: 'eve' })]
  await owner.client.rpc('add_brand_member_by_email', {
    p_brand_id: owner.brandId,
    p_email: admin.email,
    p_role: 'admin',
  })
  // The database refuses to list members.
  await runAsOwnerRole(server, 'revoke execute on function public.list_brand_members(uuid) from authenticated')
  await openAs(page, admin, '/crm/settings')
  await expectToast(page, 'error', 'Error loading members', 'permission denied for function list_brand_members')
  await expect(page.getByRole('heading', { name: 'Error loading members', exact: true })).toBeVisible()
  await runAsOwnerRole(server, 'grant execute on function public.list_brand_members(uuid) to authenticated')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Current Members (2)')).toBeVisible()

  const email = page.getByLabel('Email', { exact: true })
  const addButton = page.getByRole('button', { name: 'Add member' })
  await email.fill('nobody-at-all@acme.example')
  await addButton.click()
  await expect(email).toHaveAccessibleDescription('User with this email not found. They must sign up first.')
  await expect(email).toHaveValue('nobody-at-all@acme.example')

  await email.fill(owner.email)
  await addButton.click()
  await expectToast(page, 'error', 'Error adding member', 'This person is already a member of this brand.')
  await expect(email).toHaveValue(owner.email)

  const removeRefusal = await addRefusal(server, owner, 'memberships', 'The brand is full')
  await email.fill(eve.email)
  await addButton.click()
  await expectToast(page, 'error', 'Error adding member', 'The brand is full')
  await expect(email).toHaveValue(eve.email)
  await removeRefusal()
  await addButton.click()
  await expectToast(page, 'success', 'Member added successfully!')
  await expect(email).toHaveValue('')
  await expect(page.getByText('Current Members (3)')).toBeVisible()

  await owner.client.from('memberships').update({ role: 'member' }).eq('user_id', admin.userId)
  await email.fill('dan@acme.example')
  await addButton.click()
  await expectToast(page, 'error', 'Only admins and owners can add members')
  await expect(email).toHaveValue('dan@acme.example')
})

test("spec 8: CSV: parse failure 'Error' / 'Failed to parse CSV file'; completion 'Import Complete' / 'Successfully imported {n} contacts. {m} errors.'", async ({
  page,
  server,
}) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  await openAs(page, person, '/crm/import-contacts')
  await page.getByRole('button', { name: 'Choose File' }).waitFor()
  await chooseFile(page, 'broken.csv', 'email,first_name\n"ida@nordhafen.example,Ida\n')
  await expectToast(page, 'error', 'Error', 'Failed to parse CSV file')
  expect((await person.client.from('contacts').select('id')).data).toEqual([])
  await chooseFile(page, 'good.csv', 'email,first_name\nida@nordhafen.example,Ida\n,Nobody\nbo@nordhafen.example,Bo\n')
  await expectToast(page, 'success', 'Import Complete', 'Successfully imported 2 contacts. 1 errors.')
  expect((await person.client.from('contacts').select('id')).data).toHaveLength(2)
})

test("spec 8: Unknown route: 404 page (signed in and not; 'Return to Home' leads on)", async ({ page, server }) => {
  for (const path of ['/nowhere', '/crm/nowhere', '/auth/nowhere']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Return to Home', exact: true }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await openAs(page, await createPerson(server, { brand: 'Harbour' }))
  await page.goto('/crm/nowhere')
  await page.getByRole('link', { name: 'Return to Home', exact: true }).click()
  await expect(page).toHaveURL(/\/crm\/overview$/)
})
