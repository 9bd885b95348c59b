import {
  createPerson,
  expect,
  expectAccessible,
  newEmail,
  openAs,
  signInByScreen,
  signUpByScreen,
  test,
  toastOf,
} from '../harness/browser.ts'
import { shiftClock } from '../harness/clocks.ts'

test('spec 2: /: Redirects (replace) to /auth.', async ({ page }) => {
  await page.goto('about:blank')
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth$/)
  await page.goBack()
  expect(page.url()).toBe('about:blank')
})

test("spec 2: /auth: Tabs 'Sign In' and 'Sign Up'; title 'Manage your deals, contacts, and pipeline'", async ({
  page,
}) => {
  await page.goto('/auth')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Manage your deals, contacts, and pipeline', exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Sign In', exact: true })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tab', { name: 'Sign Up', exact: true })).toHaveAttribute('aria-selected', 'false')
})

test('a browser that forbids the storage of a tab can sign in, show the board and sign out', async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Acme' })
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'sessionStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  })
  await page.goto('/crm/deals')
  await signInByScreen(page, ana.email, ana.password)
  await page.getByRole('link', { name: 'Deals' }).first().click()
  await expect(page.getByRole('heading', { name: 'Deals Pipeline' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'New Deal', exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back', exact: true })).toBeVisible()
})

test('a sign-out leaves no preference with the id of the person in the browser', async ({ page, server }) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Acme' })
  const storedKeys = () => page.evaluate(() => Object.keys(localStorage).join(' '))
  await page.goto('/crm/deals')
  await signInByScreen(page, ana.email, ana.password)
  await page.getByRole('link', { name: 'Deals' }).first().click()
  await page.getByRole('button', { name: 'Fold Incoming', exact: true }).click()
  await expect.poll(storedKeys).toContain('banyan-folded-')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back', exact: true })).toBeVisible()
  await expect.poll(storedKeys).not.toContain('banyan-folded-')
})

test("spec 2: /auth: Sign-in card 'Welcome back' (email, password)", async ({ page }) => {
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: 'Welcome back', exact: true })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username')
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('autocomplete', 'current-password')
})

test("spec 2: /auth: Sign-up card 'Create account' (email, password)", async ({ page }) => {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Create account', exact: true })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('autocomplete', 'new-password')
})

test("spec 8: Sign-up: success 'Account created! Welcome aboard!'", { tag: '@long' }, async ({ page }) => {
  await page.goto('/auth')
  await signUpByScreen(page, newEmail(), 'correct horse')
  await expect(toastOf(page)).toContainText('Account created! Welcome aboard!')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('spec 8: Sign-up failure: toast with server message', { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server)
  await page.goto('/auth')
  await signUpByScreen(page, ana.email, 'another password')
  await expect(toastOf(page)).toHaveAttribute('data-toast', 'error')
  await expect(toastOf(page)).toContainText(/already/i)
  const emailField = page.getByLabel('Email')
  await expect(emailField).toHaveAccessibleDescription('This address has an account already. Sign in instead.')
  await expect(emailField).toBeFocused()
  await emailField.fill(newEmail())
  await page.getByRole('textbox', { name: 'Password' }).fill('password')
  await page.keyboard.press('Enter')
  const password = page.getByRole('textbox', { name: 'Password' })
  await expect(password).toHaveAccessibleDescription('This password is too easy to guess. Choose another one.')
  await expect(password).toBeFocused()
  await expect(page).toHaveURL(/\/auth$/)
})

test("spec 8: Sign-in: success 'Welcome back!'", { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server)
  await page.goto('/auth')
  await signInByScreen(page, ana.email, ana.password)
  await expect(toastOf(page)).toContainText('Welcome back!')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('spec 8: Sign-in failure: toast with server message', { tag: '@long' }, async ({ page, server }) => {
  const ana = await createPerson(server)
  await page.goto('/auth')
  await signInByScreen(page, ana.email, 'wrong password')
  await expect(toastOf(page)).toContainText('Invalid login credentials')
  const password = page.getByRole('textbox', { name: 'Password' })
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription(
    'The email or the password is not right. Check both, or set a new password.',
  )
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
  await expect(page).toHaveURL(/\/auth$/)
})

test('spec 5: Sign-up password: minimum length 6', async ({ page }) => {
  await page.goto('/auth')
  await signUpByScreen(page, newEmail(), '12345')
  const password = page.getByRole('textbox', { name: 'Password' })
  await expect(password).toHaveAccessibleDescription('Password needs at least 6 characters')
  await expect(password).toBeFocused()
  await password.fill('12345x')
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('spec 5: Email required on sign-in and sign-up', async ({ page }) => {
  await page.goto('/auth')
  for (const tab of ['Sign In', 'Sign Up']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('button', { name: tab, exact: true }).click()
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is required')
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.getByLabel('Email').fill('Tom Hale <tom@muster.example>')
    await expect(page.getByLabel('Email')).toHaveValue('tom@muster.example')
    await page.getByLabel('Email').fill('')
  }
})

test('spec 2: /auth: A logged-in user is redirected to /select-brand', async ({ page, server }) => {
  const ana = await createPerson(server)
  await page.goto('/auth')
  await signInByScreen(page, ana.email, ana.password)
  await expect(page).toHaveURL(/\/select-brand$/)
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('a tab on /auth is redirected when the person signs in in another tab', async ({ page, server, context }) => {
  const ana = await createPerson(server)
  const secondTab = await context.newPage()
  for (const tab of [secondTab, page]) {
    await tab.goto('/auth')
    await expect(tab.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  }
  await signInByScreen(page, ana.email, ana.password)
  await expect(page).toHaveURL(/\/select-brand$/)
  await expect(secondTab).toHaveURL(/\/select-brand$/)
  await expect(secondTab.getByText(ana.email)).toBeVisible()
})

test('a signed-in person without an active brand gets to the requested page', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await openAs(page, ana, '/crm/contacts')
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
})

test('the eye button shows and hides the password', { tag: '@long' }, async ({ page }) => {
  await page.goto('/auth')
  const password = page.getByRole('textbox', { name: 'Password' })
  await password.fill('correct horse')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('a person can sign up by keyboard alone; arrow keys change the tab', { tag: '@long' }, async ({ page }) => {
  await page.goto('/auth')
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type(newEmail())
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/select-brand$/)
})

test('/auth has no accessibility violations, light and dark, before and after an empty form was submitted', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/auth')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectAccessible(page)
})

for (const clockOffsetHours of [2, -2])
  test(`a device whose clock is ${clockOffsetHours} hours off signs in and adds contacts without refreshing its session`, {
    tag: '@long',
  }, async ({ page, server }) => {
    const ana = await createPerson(server, { brand: 'Acme' })
    let refreshCount = 0
    page.on('request', (request) => {
      if (request.url().includes('grant_type=refresh_token')) refreshCount++
    })
    await shiftClock(page.context(), clockOffsetHours * 3_600_000)
    await page.goto('/crm/contacts')
    await signInByScreen(page, ana.email, ana.password)
    await page.waitForURL((url) => url.pathname === '/crm/contacts')
    for (const name of ['first', 'second', 'third']) {
      await page.getByRole('button', { name: 'Add Contact' }).first().click()
      await page.getByRole('dialog').getByLabel('Email').fill(`${name}@slate.example`)
      await page.keyboard.press('Enter')
      await expect(page.getByText(`${name}@slate.example`).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'All changes saved' })).toBeVisible()
    }
    expect(refreshCount).toBe(0)
  })
