import { createPerson, expect, openAs, test, toastOf } from '../harness/browser.ts'
import { totpCode } from '../harness/totp.ts'
import { sharePage } from './apg-page.ts'

// These tests check the patterns 'Tabs With Automatic Activation' and 'Switch' of the ARIA Authoring Practices. Each step is a row of the
// keyboard table of a pattern.
const { step } = test

const thePage = sharePage(async (page, server) => {
  await openAs(page, await createPerson(server, { brand: 'Acme' }), '/crm/settings')
})

test('tabs follow the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  const { keyboard } = page
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const panel = page.getByRole('tabpanel')
  const expectChosen = async (name: string) => {
    await expect(tab(name)).toBeFocused()
    await expect(page.getByRole('tab', { selected: true })).toHaveText(name)
    await expect(panel).toHaveAccessibleName(name)
  }

  await step(
    'roles and states: the list of tabs has a name; the chosen tab controls the panel and names it',
    async () => {
      await expect(page.getByRole('tablist', { name: 'Settings' }).getByRole('tab')).toHaveCount(5)
      await expect(panel).toHaveAccessibleName('Team')
      await expect(tab('Team')).toHaveAttribute('aria-controls', (await panel.getAttribute('id')) ?? '?')
      await expect(tab('Security')).toHaveAttribute('aria-selected', 'false')
    },
  )
  await step('Tab into the list: focuses the chosen tab', async () => {
    await page.getByRole('main').evaluate((main: HTMLElement) => main.focus())
    for (
      let presses = 0;
      presses < 5 && !(await tab('Team').evaluate((element) => element === document.activeElement));
      presses++
    )
      await keyboard.press('Tab')
    await expectChosen('Team')
  })
  await step('Right Arrow: chooses the next tab; on the last tab the first', async () => {
    for (const name of ['Fields', 'Notifications', 'Security', 'Brand', 'Team']) {
      await keyboard.press('ArrowRight')
      await expectChosen(name)
    }
  })
  await step('Left Arrow: chooses the previous tab; on the first tab the last', async () => {
    for (const name of ['Brand', 'Security', 'Notifications']) {
      await keyboard.press('ArrowLeft')
      await expectChosen(name)
    }
  })
  await step('Home: chooses the first tab', async () => {
    await keyboard.press('Home')
    await expectChosen('Team')
  })
  await step('End: chooses the last tab', async () => {
    await keyboard.press('End')
    await expectChosen('Brand')
  })
  await step('Down Arrow: chooses no other tab', async () => {
    await keyboard.press('ArrowDown')
    await expectChosen('Brand')
  })
  await step('Tab in the list: focuses the panel, which begins with text', async () => {
    await keyboard.press('Tab')
    await expect(panel).toBeFocused()
  })
})

test('a switch follows the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  const { keyboard } = page
  await page.getByRole('tab', { name: 'Security' }).click()
  // Only an owner who has a second factor can switch on 'Require a second factor'.
  await page.getByRole('button', { name: 'Add a factor' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Authenticator app/ })
    .click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.getByTestId('secret').textContent()) ?? ''
  await page.getByLabel('Code').fill(totpCode(secret.replaceAll(' ', '')))
  await expect(toastOf(page)).toContainText('Factor added')
  const requireSwitch = page.getByRole('switch', { name: 'Require a second factor' })
  await expect(requireSwitch).toHaveAttribute('aria-checked', 'false')
  await requireSwitch.focus()

  await step('Space: turns the switch on; its name stays', async () => {
    await keyboard.press('Space')
    await expect(requireSwitch).toHaveAttribute('aria-checked', 'true')
    await expect(requireSwitch).toBeFocused()
  })
  await step('Enter: turns the switch off', async () => {
    await expect(requireSwitch).not.toHaveAttribute('aria-busy')
    await keyboard.press('Enter')
    await expect(requireSwitch).toHaveAttribute('aria-checked', 'false')
  })
})
