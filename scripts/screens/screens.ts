import type { Page } from '@playwright/test'

/** For each table, the record of the demo brand that its panel shows: the column and the value by which its id is queried. */
export const shownRecords = {
  deals: ['name', 'Ward equipment framework'],
  contacts: ['last_name', 'Featherstonehaugh'],
  companies: ['name', 'Linden Health NHS Trust'],
  tasks: ['title', 'Send revised framework terms'],
} as const

export type RecordIds = Record<keyof typeof shownRecords, string>

export interface Screen {
  name: string
  /** Returns the path of the page. `ids`: the ids of the shown records. */
  pathOf: (ids: RecordIds) => string
  /** A text that is visible when the page has its content. */
  shown: string | RegExp
  /** Actions before the picture is taken. The layout shift that they cause is not counted. */
  prepare?: (page: Page) => Promise<unknown>
}

/** The screens for visitors who are not signed in. */
export const signedOutScreens: readonly Screen[] = [
  { name: 'auth', pathOf: () => '/auth', shown: 'Password' },
  {
    name: 'auth-sign-up',
    pathOf: () => '/auth',
    shown: 'Password',
    prepare: (page) => page.getByRole('tab').last().click(),
  },
  { name: 'auth-forgot', pathOf: () => '/auth/forgot', shown: 'Email' },
  { name: 'not-found', pathOf: () => '/nowhere', shown: 'Oops! Page not found' },
]

const crmPath = (path: string) => () => `/crm/${path}`

async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()
  await page.getByRole('dialog', { name }).waitFor()
}

/** The screens that the owner of the demo brand sees. */
export const screens: readonly Screen[] = [
  { name: 'overview', pathOf: crmPath('overview'), shown: 'Send revised framework terms' },
  { name: 'deals', pathOf: crmPath('deals'), shown: 'Annual support contract' },
  { name: 'deal', pathOf: ({ deals }) => `/crm/deals/${deals}`, shown: /^Created/ },
  {
    name: 'new-deal',
    pathOf: crmPath('deals'),
    shown: 'Annual support contract',
    prepare: (page) => openDialog(page, 'New Deal'),
  },
  {
    name: 'move-to',
    pathOf: crmPath('deals'),
    shown: 'Annual support contract',
    prepare: async (page) => {
      await page.getByText('Annual support contract').hover()
      await page.getByRole('button', { name: 'Move Annual support contract to stage' }).click()
    },
  },
  { name: 'contacts', pathOf: crmPath('contacts'), shown: /@.*\.example$/ },
  { name: 'contact', pathOf: ({ contacts }) => `/crm/contacts/${contacts}`, shown: /^Created/ },
  {
    name: 'add-contact',
    pathOf: crmPath('contacts'),
    shown: /@.*\.example$/,
    prepare: (page) => openDialog(page, 'Add Contact'),
  },
  { name: 'import-contacts', pathOf: crmPath('import-contacts'), shown: 'Choose File' },
  { name: 'companies', pathOf: crmPath('companies'), shown: /\.example$/ },
  { name: 'company', pathOf: ({ companies }) => `/crm/companies/${companies}`, shown: /^Created/ },
  { name: 'tasks', pathOf: crmPath('tasks'), shown: 'Send revised framework terms' },
  { name: 'task', pathOf: ({ tasks }) => `/crm/tasks/${tasks}`, shown: /^Created/ },
  { name: 'settings', pathOf: crmPath('settings'), shown: 'Bronwen Lloyd' },
  { name: 'settings-brand', pathOf: crmPath('settings?tab=brand'), shown: 'Delete' },
  { name: 'settings-security', pathOf: crmPath('settings?tab=security'), shown: 'This session' },
  {
    name: 'account-menu',
    pathOf: crmPath('overview'),
    shown: 'Send revised framework terms',
    prepare: (page) => page.getByRole('button', { name: /^Account/ }).click(),
  },
  { name: 'select-brand', pathOf: () => '/select-brand', shown: 'Tern & Tide' },
]
