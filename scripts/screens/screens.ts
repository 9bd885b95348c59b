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
  /** The path of the page. */
  at: (ids: RecordIds) => string
  /** A text that is visible when the page has its content. */
  shown: string | RegExp
  /** Actions before the picture is taken. Their layout shift does not count. */
  prepare?: (page: Page) => Promise<unknown>
}

/** The screens for visitors who are not signed in. */
export const signedOutScreens: readonly Screen[] = [
  { name: 'auth', at: () => '/auth', shown: 'Password' },
  {
    name: 'auth-sign-up',
    at: () => '/auth',
    shown: 'Password',
    prepare: (page) => page.getByRole('tab').last().click(),
  },
  { name: 'auth-forgot', at: () => '/auth/forgot', shown: 'Email' },
  { name: 'not-found', at: () => '/nowhere', shown: 'Oops! Page not found' },
]

const crm = (path: string) => () => `/crm/${path}`

async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click()
  await page.getByRole('dialog', { name }).waitFor()
}

/** The screens that the owner of the demo brand sees. */
export const screens: readonly Screen[] = [
  { name: 'overview', at: crm('overview'), shown: 'Send revised framework terms' },
  { name: 'deals', at: crm('deals'), shown: 'Annual support contract' },
  { name: 'deal', at: ({ deals }) => `/crm/deals/${deals}`, shown: /^Created/ },
  {
    name: 'new-deal',
    at: crm('deals'),
    shown: 'Annual support contract',
    prepare: (page) => openDialog(page, 'New Deal'),
  },
  {
    name: 'move-to',
    at: crm('deals'),
    shown: 'Annual support contract',
    prepare: async (page) => {
      await page.getByText('Annual support contract').hover()
      await page.getByRole('button', { name: 'Move Annual support contract to stage' }).click()
    },
  },
  { name: 'contacts', at: crm('contacts'), shown: /@.*\.example$/ },
  { name: 'contact', at: ({ contacts }) => `/crm/contacts/${contacts}`, shown: /^Created/ },
  {
    name: 'add-contact',
    at: crm('contacts'),
    shown: /@.*\.example$/,
    prepare: (page) => openDialog(page, 'Add Contact'),
  },
  { name: 'import-contacts', at: crm('import-contacts'), shown: 'Choose File' },
  { name: 'companies', at: crm('companies'), shown: /\.example$/ },
  { name: 'company', at: ({ companies }) => `/crm/companies/${companies}`, shown: /^Created/ },
  { name: 'tasks', at: crm('tasks'), shown: 'Send revised framework terms' },
  { name: 'task', at: ({ tasks }) => `/crm/tasks/${tasks}`, shown: /^Created/ },
  { name: 'settings', at: crm('settings'), shown: 'Bronwen Lloyd' },
  { name: 'settings-brand', at: crm('settings?tab=brand'), shown: 'Delete' },
  { name: 'settings-security', at: crm('settings?tab=security'), shown: 'This session' },
  {
    name: 'account-menu',
    at: crm('overview'),
    shown: 'Send revised framework terms',
    prepare: (page) => page.getByRole('button', { name: /^Account/ }).click(),
  },
  { name: 'select-brand', at: () => '/select-brand', shown: 'Tern & Tide' },
]
