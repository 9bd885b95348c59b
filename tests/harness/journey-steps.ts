import { expect, type Page } from '@playwright/test'

/** The people of the brand from `seedJourney` whose names the steps use. */
export interface JourneyPeople {
  /** Name of the other member, as lists show it. */
  colleague: string
}

/** One edit made on the screen: one operation of the outbox. */
export interface JourneyStep {
  name: string
  /** Makes the edit, from any page of the app. The caller checks whether it is stored. */
  make(page: Page, people: JourneyPeople): Promise<void>
  /** The record that this step restores. The step needs the toast of the previous step, so it cannot follow a restart. */
  undoes?: string
}

type PageName = 'Deals' | 'Contacts' | 'Companies' | 'Tasks'

/** Edits of all kinds of records that a person makes offline. Later steps use records that earlier steps created. */
export const journeySteps: readonly JourneyStep[] = [
  { name: 'a company', make: (page) => addCompany(page, 'Slate Works') },
  {
    name: 'a contact of that company',
    make: (page) => addContact(page, { Email: 'ifor@slate.example', 'First name': 'Ifor', Company: 'Slate Works' }),
  },
  {
    name: 'a deal for both',
    make: (page) => addDeal(page, 'Slate depot', { Contact: 'Ifor' }, 'Slate Works'),
  },
  {
    name: 'a task on that deal',
    make: (page) => addTask(page, 'Measure the depot', { Contact: 'Ifor', Deal: 'Slate depot' }),
  },
  { name: 'the new deal moves', make: (page) => moveRight(page, 'Slate depot') },
  { name: 'an old deal moves', make: (page) => moveRight(page, 'Acme renewal') },
  { name: 'the new task is done', make: (page) => tick(page, 'Measure the depot') },
  {
    name: 'a contact gets a title',
    make: async (page) => {
      await openRecord(page, 'Contacts', 'Mei')
      await editText(page, 'Job title', 'Head of Product')
    },
  },
  {
    name: 'a deal gets an owner',
    make: async (page, { colleague }) => {
      await openRecord(page, 'Deals', 'Acme renewal')
      await choose(page, 'Owner', colleague)
    },
  },
  { name: 'an old task is done', make: (page) => tick(page, 'Send the drawings') },
  {
    name: 'a task is assigned to the colleague',
    make: async (page, { colleague }) => {
      await openRecord(page, 'Tasks', 'Call Margaret')
      await choose(page, 'Assignee', colleague)
    },
  },
  { name: 'a deal is deleted', make: (page) => remove(page, 'Deals', 'Old quote') },
  { name: 'a task is deleted', make: (page) => remove(page, 'Tasks', 'Order cups') },
  { name: 'that task is restored', undoes: 'Order cups', make: (page) => undo(page, 'Task deleted', 'Order cups') },
  { name: 'a contact with a task is deleted', make: (page) => remove(page, 'Contacts', 'Pia') },
  {
    name: 'that contact is restored, with the link of its task',
    undoes: 'Pia',
    make: (page) => undo(page, 'Contact deleted', 'Pia'),
  },
  {
    name: 'a contact whose address a colleague has added meanwhile',
    make: (page) => addContact(page, { Email: 'BO@copperline.example', 'First name': 'Bo', 'Last name': 'Lund' }),
  },
  { name: 'a deal for that contact', make: (page) => addDeal(page, 'Copper pipes', { Contact: 'Bo Lund' }) },
  {
    name: 'that contact gets a phone',
    make: async (page) => {
      await openRecord(page, 'Contacts', 'Bo Lund')
      await editText(page, 'Phone', '+44 20 7946 0611')
    },
  },
  {
    name: 'a company gets a website',
    make: async (page) => {
      await openRecord(page, 'Companies', 'Copperline')
      await editText(page, 'Website', 'https://copperline.example')
    },
  },
  {
    name: 'the new company gets an owner',
    make: async (page, { colleague }) => {
      await openRecord(page, 'Companies', 'Slate Works')
      await choose(page, 'Owner', colleague)
    },
  },
]

async function openPage(page: Page, pageName: PageName): Promise<void> {
  // Leaving the page closes an open panel.
  await page.getByRole('navigation').first().getByRole('link', { name: pageName }).click()
  const title = pageName === 'Deals' ? 'Deals Pipeline' : pageName
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
}

async function openRecord(page: Page, pageName: PageName, name: string): Promise<void> {
  await openPage(page, pageName)
  if (pageName === 'Deals') await cardOf(page, name).click()
  else await page.locator('main').getByRole('link', { name }).first().click()
  await expect(panelOf(page)).toContainText(name)
}

async function addCompany(page: Page, name: string): Promise<void> {
  await openPage(page, 'Companies')
  await page.getByRole('button', { name: 'Add Company', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Company name').fill(name)
  await submit(page)
}

async function addContact(page: Page, fields: Record<string, string>): Promise<void> {
  await openPage(page, 'Contacts')
  await page.getByRole('button', { name: 'Add Contact', exact: true }).first().click()
  for (const [label, text] of Object.entries(fields)) await page.getByRole('dialog').getByLabel(label).fill(text)
  await submit(page)
}

/** Adds a deal. Expects that the form has filled in `company`, the company of the chosen contact. */
async function addDeal(page: Page, name: string, links: Record<string, string>, company = ''): Promise<void> {
  await openPage(page, 'Deals')
  await page.getByRole('button', { name: 'New Deal', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Deal name').fill(name)
  await dialog.getByLabel('Amount').fill('900')
  await fillLinks(page, links)
  await expect(dialog.getByRole('combobox', { name: 'Company' })).toHaveValue(company)
  await submit(page)
}

async function addTask(page: Page, title: string, links: Record<string, string>): Promise<void> {
  await openPage(page, 'Tasks')
  await page.getByRole('button', { name: 'New Task', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Task title').fill(title)
  await fillLinks(page, links)
  await submit(page)
}

async function fillLinks(page: Page, links: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(links)) {
    await page.getByRole('dialog').getByRole('combobox', { name: label }).fill(text)
    await page.getByRole('option', { name: text }).first().click()
  }
}

async function submit(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function moveRight(page: Page, name: string): Promise<void> {
  await openPage(page, 'Deals')
  await cardOf(page, name).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('region', { name: 'Qualified' }).locator('[data-deal]', { hasText: name })).toBeVisible()
}

async function tick(page: Page, title: string): Promise<void> {
  await openPage(page, 'Tasks')
  await page.getByRole('checkbox', { name: `Complete ${title}` }).click()
}

async function editText(page: Page, label: string, text: string): Promise<void> {
  await panelOf(page)
    .getByRole('button', { name: new RegExp(`^${label}: `) })
    .click()
  await panelOf(page).getByRole('textbox', { name: label }).fill(text)
  await page.keyboard.press('Enter')
}

async function choose(page: Page, label: string, name: string): Promise<void> {
  await panelOf(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name }).click()
}

async function remove(page: Page, pageName: PageName, name: string): Promise<void> {
  await openRecord(page, pageName, name)
  await panelOf(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await expect(panelOf(page)).toHaveCount(0)
}

async function undo(page: Page, toastText: string, name: string): Promise<void> {
  const toast = page.locator('[data-toast]').filter({ hasText: toastText })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.locator('main').getByRole('link', { name }).first()).toBeVisible()
}

function cardOf(page: Page, name: string) {
  return page.locator('[data-deal]').filter({ hasText: name })
}

function panelOf(page: Page) {
  return page.getByRole('complementary', { name: /^(Deal|Contact|Company|Task)$/ })
}
