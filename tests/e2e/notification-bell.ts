import type { Locator, Page } from '@playwright/test'

/** Returns the button that shows the number of unread notifications. */
export const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })

/** Returns the list of notifications that the bell opens. */
export const inbox = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' })
