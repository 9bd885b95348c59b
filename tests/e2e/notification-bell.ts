import type { Locator, Page } from '@playwright/test'

/** The button that counts unread notifications. */
export const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })

/** The list of notifications that the bell opens. */
export const inbox = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' })
