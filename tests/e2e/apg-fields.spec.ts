import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, test, toastOf } from '../harness/browser.ts'
import { sharePage } from './apg-page.ts'
import { insertRow } from './contact-seeds.ts'
import { openBoard } from './deal-seeds.ts'

// These tests check the patterns 'Select-Only Combobox', 'Editable Combobox With List Autocomplete' and 'Dialog (Modal)' of the ARIA
// Authoring Practices. Each step is a row of the keyboard table of a pattern, or a sentence beside it. Decision 046 lists the deviations.
const { step } = test

let contactId = ''
const thePage = sharePage(async (page, server) => {
  const person = await createPerson(server, { brand: 'Harbour' })
  for (const name of ['Birchwood', 'Acre & Sons', 'Acorn']) await insertRow(person, 'companies', { name })
  contactId = await insertRow(person, 'contacts', { email: 'mei@copperline.example', first_name: 'Mei' })
  await openBoard(page, person)
})

/** Checks that the field has the focus, and that its active option has this name (null: no option is active). */
async function expectActive(field: Locator, name: string | null): Promise<void> {
  await expect(field).toBeFocused()
  await expect.poll(() => field.evaluate(activeOption)).toBe(name)
}

/** Runs in the page. Returns the name of the field's active option, 'nothing' if it has no name, or null if no option is active. */
function activeOption(field: Element): string | null {
  const id = field.getAttribute('aria-activedescendant')
  return id === null ? null : (document.getElementById(id)?.querySelector('span.truncate')?.textContent ?? 'nothing')
}

async function expectOpen(page: Page, field: Locator, isOpen = true): Promise<void> {
  await expect(field).toHaveAttribute('aria-expanded', String(isOpen))
  await expect(page.getByRole('listbox')).toHaveCount(isOpen ? 1 : 0)
  if (isOpen) expect(await field.getAttribute('aria-controls')).toBe(await page.getByRole('listbox').getAttribute('id'))
  else expect(await field.getAttribute('aria-activedescendant')).toBeNull()
}

test('a select-only combobox follows the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  const { keyboard } = page
  await keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New Deal' })
  const field = dialog.getByRole('combobox', { name: 'Currency' })
  await field.focus()
  const closeByEscape = async () => {
    await keyboard.press('Escape')
    await expectOpen(page, field, false)
    await expect(field).toHaveText('GBP')
  }

  for (const key of ['ArrowDown', 'Alt+ArrowDown', 'Enter', 'Space']) {
    await step(`${key}, closed: opens the list; the value's option is active, the focus stays`, async () => {
      await keyboard.press(key)
      await expectOpen(page, field)
      await expectActive(field, 'GBP')
      await expect(page.getByRole('option', { name: 'GBP' })).toHaveAttribute('aria-selected', 'true')
    })
    await step('Escape: closes the list, the value is unchanged, the dialog stays', closeByEscape)
  }
  for (const [key, name] of [
    ['ArrowUp', 'GBP'],
    ['Home', 'GBP'],
    ['End', 'ZAR'],
    ['n', 'NOK'],
  ] as const) {
    await step(`${key}, closed: opens the list, '${name}' is active`, async () => {
      await keyboard.press(key)
      await expectOpen(page, field)
      await expectActive(field, name)
      await closeByEscape()
    })
  }
  await step('the same letter again, closed: cycles through the options that begin with it', async () => {
    await page.waitForTimeout(550)
    for (const name of ['SEK', 'SGD', 'SEK']) {
      await keyboard.press('s')
      await expectActive(field, name)
    }
    await closeByEscape()
  })
  await step(
    'letters in quick succession: activate the first option that begins with all of them; after a pause the search starts again',
    async () => {
      await page.waitForTimeout(550)
      await keyboard.type('nZ')
      await expectActive(field, 'NZD')
      await page.waitForTimeout(550)
      await keyboard.type('s')
      await expectActive(field, 'SGD')
      await closeByEscape()
    },
  )
  await keyboard.press('Enter')
  await step('Down Arrow: activates the next option', async () => {
    await keyboard.press('ArrowDown')
    await expectActive(field, 'EUR')
  })
  await step('Up Arrow: activates the previous option; on the first option nothing changes', async () => {
    await keyboard.press('ArrowUp')
    await keyboard.press('ArrowUp')
    await expectActive(field, 'GBP')
  })
  await step('Page Down: moves 10 options down, or to the last', async () => {
    await keyboard.press('PageDown')
    await expectActive(field, 'AUD')
    await keyboard.press('PageDown')
    await expectActive(field, 'ZAR')
  })
  await step('the active option is visible, and so is the field', async () => {
    await expect(page.getByRole('option', { name: 'ZAR' })).toBeInViewport({ ratio: 1 })
    const [fieldBox, listBox] = [await field.boundingBox(), await page.getByRole('listbox').boundingBox()]
    expect(listBox?.y).toBeGreaterThanOrEqual((fieldBox?.y ?? Infinity) + (fieldBox?.height ?? 0))
  })
  await step('Down Arrow on the last option: nothing changes', async () => {
    await keyboard.press('ArrowDown')
    await expectActive(field, 'ZAR')
  })
  await step('Page Up: moves 10 options up, or to the first', async () => {
    await keyboard.press('PageUp')
    await expectActive(field, 'SEK')
    await keyboard.press('PageUp')
    await expectActive(field, 'GBP')
  })
  await step('End and Home: activate the last and the first option', async () => {
    await keyboard.press('End')
    await expectActive(field, 'ZAR')
    await keyboard.press('Home')
    await expectActive(field, 'GBP')
  })
  for (const [key, name] of [
    ['Enter', 'EUR'],
    ['Space', 'USD'],
    ['Alt+ArrowUp', 'JPY'],
  ] as const) {
    await step(`${key}, open: takes the active option and closes the list, the focus stays`, async () => {
      await expectOpen(page, field)
      await keyboard.press('ArrowDown')
      await keyboard.press(key)
      await expectOpen(page, field, false)
      await expect(field).toHaveText(name)
      await expect(field).toBeFocused()
      await keyboard.press('Enter')
    })
  }
  await step('Tab, open: takes the active option, closes the list, and moves the focus on', async () => {
    await keyboard.press('ArrowDown')
    await keyboard.press('Tab')
    await expectOpen(page, field, false)
    await expect(field).toHaveText('CHF')
    await expect(dialog.getByRole('combobox', { name: 'Stage' })).toBeFocused()
  })
  await step('Tab, if only the pointer was over an option: the value is unchanged', async () => {
    await field.click()
    await page.getByRole('option', { name: 'EUR' }).hover()
    await expectActive(field, 'EUR')
    await keyboard.press('Tab')
    await expectOpen(page, field, false)
    await expect(field).toHaveText('CHF')
  })
  await keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a modal dialog follows the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  const { keyboard } = page
  const opener = page.getByRole('button', { name: 'New Deal', exact: true }).first()
  const dialog = page.getByRole('dialog', { name: 'New Deal' })
  const firstButton = dialog.getByRole('button', { name: 'Close' })
  const lastButton = dialog.getByRole('button', { name: /Create Deal/ })
  await opener.focus()
  await keyboard.press('Enter')

  await step(
    'the dialog opens: the focus is on its first field, its title names it, the page behind is inert',
    async () => {
      await expect(dialog.getByLabel('Deal name')).toBeFocused()
      const titleId = await dialog.getAttribute('aria-labelledby')
      await expect(page.locator(`[id="${titleId}"]`)).toHaveText('New Deal')
      await expect(page.locator('#root')).toHaveAttribute('inert')
    },
  )
  await step('Tab: the focus moves to the next element inside', async () => {
    await keyboard.press('Tab')
    await expect(dialog.getByLabel('Amount')).toBeFocused()
  })
  await step('Shift with Tab: the focus moves to the previous element', async () => {
    await keyboard.press('Shift+Tab')
    await expect(dialog.getByLabel('Deal name')).toBeFocused()
  })
  await step('Tab on the last element: the focus moves to the first', async () => {
    await lastButton.focus()
    await keyboard.press('Tab')
    await expect(firstButton).toBeFocused()
  })
  await step('Shift with Tab on the first element: the focus moves to the last', async () => {
    await keyboard.press('Shift+Tab')
    await expect(lastButton).toBeFocused()
  })
  await step('Escape: closes the dialog, the focus is on the button that opened it', async () => {
    await keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  })
  await step('a toast is not part of the dialog: it stays usable, and Tab reaches it too', async () => {
    await keyboard.press('Enter')
    await keyboard.type('Depot lighting')
    await keyboard.press('Control+Enter')
    await expect(toastOf(page)).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await keyboard.press('Enter')
    await firstButton.focus()
    await keyboard.press('Shift+Tab')
    await expect(toastOf(page).getByRole('button').last()).toBeFocused()
  })
})

test('an editable combobox with list autocomplete follows the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  await page.goto(`/crm/contacts/${contactId}`)
  const { keyboard } = page
  const panel = page.getByRole('complementary', { name: 'Contact' })
  const field = panel.getByRole('combobox', { name: 'Company' })
  const options = page.getByRole('option')
  const optionNames = () =>
    options.evaluateAll((all) => all.map((option) => option.querySelector('span.truncate')?.textContent))
  const selectedOptions = page.locator('[role=option][aria-selected=true]')
  const announcement = page.locator('#live-polite')
  await field.focus()
  const closeByEscape = async () => {
    await keyboard.press('Escape')
    await expectOpen(page, field, false)
    await expect(field).toHaveValue('')
    await expect(panel).toBeVisible()
  }

  await step('roles and states: the field completes from a list, and is closed', async () => {
    await expect(field).toHaveAttribute('aria-autocomplete', 'list')
    await expectOpen(page, field, false)
  })
  await step('Down Arrow, empty and closed: opens the list, the first option is active', async () => {
    await keyboard.press('ArrowDown')
    await expect(options).toHaveCount(3)
    await expectOpen(page, field)
    await expectActive(field, (await optionNames())[0] ?? '?')
    await expect(selectedOptions).toHaveCount(1)
  })
  await step('the number of options is announced', async () => {
    await expect(announcement).toHaveText('3 results')
  })
  await step('Escape, open: closes the list, and not the panel around it', closeByEscape)
  await step('Up Arrow, empty and closed: opens the list, the last option is active', async () => {
    await keyboard.press('ArrowUp')
    await expectActive(field, (await optionNames())[2] ?? '?')
    await closeByEscape()
  })
  await step('Alt with Down Arrow: opens the list, no option is active', async () => {
    await keyboard.press('Alt+ArrowDown')
    await expect(options).toHaveCount(3)
    await expectActive(field, null)
  })
  await step('Down Arrow while no option is active: activates the first option', async () => {
    await keyboard.press('ArrowDown')
    await expectActive(field, (await optionNames())[0] ?? '?')
  })
  await step('Up Arrow on the first option: activates the last', async () => {
    await keyboard.press('ArrowUp')
    await expectActive(field, (await optionNames())[2] ?? '?')
  })
  await step('Down Arrow on the last option: activates the first', async () => {
    await keyboard.press('ArrowDown')
    await expectActive(field, (await optionNames())[0] ?? '?')
  })
  await step('Alt with Up Arrow: closes the list', async () => {
    await keyboard.press('Alt+ArrowUp')
    await expectOpen(page, field, false)
  })
  await step('characters are typed: the list shows the matches, its first option is active and selected', async () => {
    await keyboard.type('ac')
    await expect(options).toHaveText([/Acorn|Acre/, /Acorn|Acre/, 'Add “ac”'])
    await expectActive(field, (await optionNames())[0] ?? '?')
    await expect(selectedOptions).toHaveCount(1)
    await expect(announcement).toHaveText('2 results')
  })
  await step('Left Arrow: no option is active, the cursor moves one character to the left', async () => {
    await keyboard.press('ArrowLeft')
    await expectActive(field, null)
    expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(1)
    await expectOpen(page, field)
  })
  await step('Right Arrow: no option is active, the cursor moves one character to the right', async () => {
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowRight')
    await expectActive(field, null)
    expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(2)
  })
  await step('Home and End: no option is active, the cursor moves to the start and the end of the text', async () => {
    for (const [key, cursor] of [
      ['Home', 0],
      ['End', 2],
    ] as const) {
      await keyboard.press('ArrowDown')
      await keyboard.press(key)
      await expectActive(field, null)
      expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(cursor)
    }
  })
  await step('Enter while no option is active: closes the list, nothing is chosen', async () => {
    await keyboard.press('Enter')
    await expectOpen(page, field, false)
    await expect(field).toHaveValue('')
  })
  await step('Escape: discards the typed text', async () => {
    await keyboard.type('acr')
    await expect(options.first()).toHaveText(/Acre/)
    await closeByEscape()
  })
  await step(
    'Enter: takes the active option and closes the list, the focus stays, the cursor is at the end of the text',
    async () => {
      await keyboard.type('acr')
      await expect(options.first()).toHaveText(/Acre/)
      await keyboard.press('Enter')
      await expectOpen(page, field, false)
      await expect(field).toHaveValue('Acre & Sons')
      await expect(field).toBeFocused()
      expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe('Acre & Sons'.length)
    },
  )
  await step(
    "'Add …' is an option that arrow keys reach; if it is the only option, 'No matches' is announced",
    async () => {
      await field.fill('Zephyr')
      await expect(options).toHaveText(['Add “Zephyr”'])
      await expectActive(field, 'Add “Zephyr”')
      await expect(announcement).toHaveText(/^No matches/)
      await field.fill('ac')
      await expect(options).toHaveCount(3)
      await keyboard.press('ArrowUp')
      await expectActive(field, 'Add “ac”')
      await keyboard.press('Enter')
      await expect(field).toHaveValue('ac')
    },
  )
  await step('Tab: closes the list without taking an option, and moves the focus on', async () => {
    await field.fill('acorn')
    await expect(options.first()).toHaveText(/Acorn/)
    await keyboard.press('Tab')
    await expectOpen(page, field, false)
    await expect(field).toHaveValue('ac')
    await expect(field).not.toBeFocused()
  })
})
