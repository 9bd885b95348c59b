import type { Locator, Page } from '@playwright/test'
import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { sharePage } from './apg-page.ts'
import { insertRow } from './contact-seeds.ts'

// These tests check the patterns 'Menu Button', 'Menu' and 'Tooltip' of the ARIA Authoring Practices. Each step is a row of the keyboard
// table of a pattern, or a sentence beside it. Decision 046 lists the deviations.
const { step } = test

let companyId = ''
const thePage = sharePage(async (page, server) => {
  const person = await createPerson(server, { brand: 'Acme' })
  companyId = await insertRow(person, 'companies', { name: 'Copperline' })
  await openAs(page, person)
})

const item = (page: Page, name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) })
const menu = (page: Page) => page.getByRole('menu', { name: 'Account' })
const submenu = (page: Page) => page.getByRole('menu', { name: 'Appearance' })

/** Returns true if the focused element comes after the button in the document ('after'), or before it ('before'). */
function isFocusAt(where: 'after' | 'before', button: Locator): Promise<boolean> {
  const positionBit = { after: 4, before: 2 }[where]
  return button.evaluate(
    (element, side) => (element.compareDocumentPosition(document.activeElement ?? element) & side) !== 0,
    positionBit,
  )
}

test('a menu button and its menu follow the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  const button = page.getByRole('button', { name: /^Account/ })
  const { keyboard } = page
  await button.focus()

  await step(
    'roles and states: the button has a menu, is expanded while the menu is open, and refers to it',
    async () => {
      await expect(button).toHaveAttribute('aria-haspopup', 'menu')
      await expect(button).toHaveAttribute('aria-expanded', 'false')
      await keyboard.press('Enter')
      await expect(button).toHaveAttribute('aria-expanded', 'true')
      await expect(button).toHaveAttribute('aria-controls', (await menu(page).getAttribute('id')) ?? '?')
      await keyboard.press('Escape')
    },
  )
  for (const [key, name] of [
    ['Enter', 'Switch Brand'],
    ['Space', 'Switch Brand'],
    ['ArrowDown', 'Switch Brand'],
    ['ArrowUp', 'Sign Out'],
  ] as const) {
    await step(`${key} on the button: opens the menu, the focus is on '${name}'`, async () => {
      await keyboard.press(key)
      await expect(item(page, name)).toBeFocused()
      await keyboard.press('Escape')
    })
  }
  await step('Escape: closes the menu, the focus is on the button', async () => {
    await keyboard.press('Enter')
    await keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await expect(button).toBeFocused()
  })
  await keyboard.press('Enter')
  await step(
    'Down Arrow: focuses the next item, skipping items that this width hides; from the last item the first',
    async () => {
      for (const name of ['New brand', 'Appearance', 'Keyboard shortcuts', 'Sign Out', 'Switch Brand']) {
        await keyboard.press('ArrowDown')
        await expect(item(page, name)).toBeFocused()
      }
    },
  )
  await step('Up Arrow: focuses the previous item; from the first item the last', async () => {
    await keyboard.press('ArrowUp')
    await expect(item(page, 'Sign Out')).toBeFocused()
  })
  await step('Home: focuses the first item', async () => {
    await keyboard.press('Home')
    await expect(item(page, 'Switch Brand')).toBeFocused()
  })
  await step('End: focuses the last item', async () => {
    await keyboard.press('End')
    await expect(item(page, 'Sign Out')).toBeFocused()
  })
  await step(
    'a letter: focuses the next item that begins with it; again: the one after it; without such an item the focus stays',
    async () => {
      await keyboard.press('s')
      await expect(item(page, 'Switch Brand')).toBeFocused()
      await keyboard.press('s')
      await expect(item(page, 'Sign Out')).toBeFocused()
      await keyboard.press('x')
      await expect(item(page, 'Sign Out')).toBeFocused()
    },
  )
  await step(
    'letters in quick succession: focus the item that begins with all of them; after a pause the search starts again',
    async () => {
      await page.waitForTimeout(550)
      await keyboard.type('sw')
      await expect(item(page, 'Switch Brand')).toBeFocused()
      await page.waitForTimeout(550)
      await keyboard.type('n')
      await expect(item(page, 'New brand')).toBeFocused()
    },
  )
  await step('Right Arrow on an item without a submenu, and Left Arrow in the first menu: do nothing', async () => {
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowLeft')
    await expect(item(page, 'New brand')).toBeFocused()
  })
  for (const key of ['Enter', 'Space']) {
    await step(`${key} on an item: activates it and closes the menu; the focus returns to the button`, async () => {
      await keyboard.press('End')
      await keyboard.press('ArrowUp')
      await keyboard.press(key)
      await expect(menu(page)).toHaveCount(0)
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await keyboard.press('Escape')
      await expect(button).toBeFocused()
      await keyboard.press('Enter')
    })
  }
  for (const [key, where] of [
    ['Tab', 'after'],
    ['Shift+Tab', 'before'],
  ] as const) {
    await step(`${key}: closes the menu, the focus is ${where} the button`, async () => {
      await keyboard.press(key)
      await expect(menu(page)).toHaveCount(0)
      expect(await isFocusAt(where, button)).toBe(true)
      await button.focus()
      await keyboard.press('Enter')
    })
    await step(`${key} in a submenu: closes all menus, the focus is ${where} the button`, async () => {
      await item(page, 'Appearance').press('ArrowRight')
      await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeFocused()
      await keyboard.press(key)
      await expect(page.getByRole('menu')).toHaveCount(0)
      expect(await isFocusAt(where, button)).toBe(true)
      await button.focus()
      await keyboard.press('Enter')
    })
  }
  await keyboard.press('Escape')
})

test('a submenu follows the ARIA Authoring Practices, and stays open while the pointer moves to it', {
  tag: '@long',
}, async () => {
  const page = thePage()
  const { keyboard, mouse } = page
  const parentItem = item(page, 'Appearance')
  const radioItem = (name: string) => page.getByRole('menuitemradio', { name, exact: true })
  await page.getByRole('button', { name: /^Account/ }).focus()
  await keyboard.press('Enter')

  for (const key of ['ArrowRight', 'Enter', 'Space']) {
    await step(`${key} on its item: opens the submenu, the focus is on the first item inside`, async () => {
      await expect(parentItem).toHaveAttribute('aria-haspopup', 'menu')
      await expect(parentItem).toHaveAttribute('aria-expanded', 'false')
      await parentItem.press(key)
      await expect(radioItem('System')).toBeFocused()
      await expect(parentItem).toHaveAttribute('aria-expanded', 'true')
      await expect(parentItem).toHaveAttribute('aria-controls', (await submenu(page).getAttribute('id')) ?? '?')
      await keyboard.press('ArrowLeft')
    })
  }
  for (const key of ['ArrowLeft', 'Escape']) {
    await step(`${key}: closes only the submenu, the focus is on its item`, async () => {
      await parentItem.press('ArrowRight')
      await expect(radioItem('System')).toBeFocused()
      await keyboard.press(key)
      await expect(submenu(page)).toHaveCount(0)
      await expect(parentItem).toBeFocused()
    })
  }
  await step('arrows and letters stay in the submenu; its chosen item is checked', async () => {
    await parentItem.press('ArrowRight')
    await keyboard.press('ArrowUp')
    await expect(radioItem('Dark')).toBeFocused()
    await keyboard.press('l')
    await expect(radioItem('Light')).toBeFocused()
    await expect(radioItem('System')).toBeChecked()
    await expect(radioItem('Light')).not.toBeChecked()
    await keyboard.press('ArrowLeft')
  })

  const buttonTextAt = (x: number, y: number) =>
    page.evaluate(([left, top]) => document.elementFromPoint(left, top)?.closest('button')?.textContent, [
      x,
      y,
    ] as const)
  /**
   * Opens the submenu and moves the pointer to the item that opens it, just above the item's lower edge. Returns this point, and a point in the
   * submenu's lower right corner (px).
   */
  const hoverParentItem = async () => {
    await parentItem.hover()
    await expect(submenu(page)).toBeVisible()
    await expect(parentItem).toBeFocused()
    const [itemBox, submenuBox] = [await parentItem.boundingBox(), await submenu(page).boundingBox()]
    if (!itemBox || !submenuBox) throw new Error('the submenu is not there')
    // Near the window's right edge the submenu opens to the left.
    expect(submenuBox.x + submenuBox.width).toBeLessThan(itemBox.x + itemBox.width / 2)
    const start = { x: itemBox.x + 60, y: itemBox.y + itemBox.height - 3 }
    await mouse.move(start.x, start.y)
    return { start, end: { x: submenuBox.x + submenuBox.width - 20, y: submenuBox.y + submenuBox.height - 20 } }
  }
  /** Returns the point after 40 % of the path. */
  const pointOnWay = ({ start, end }: Awaited<ReturnType<typeof hoverParentItem>>) => ({
    x: start.x + (end.x - start.x) * 0.4,
    y: start.y + (end.y - start.y) * 0.4,
  })
  await step('the pointer on its item: opens the submenu and leaves the focus there', hoverParentItem)
  await step('the pointer on its way to the submenu crosses another item, and the submenu stays', async () => {
    const path = await hoverParentItem()
    const middle = pointOnWay(path)
    expect(await buttonTextAt(middle.x, middle.y)).toMatch(/^Keyboard shortcuts/)
    const focusCounter = await item(page, 'Keyboard shortcuts').evaluateHandle((other) => {
      const focusEvents = { count: 0 }
      other.addEventListener('focus', () => (focusEvents.count += 1))
      return focusEvents
    })
    await mouse.move(middle.x, middle.y, { steps: 6 })
    await mouse.move(path.end.x, path.end.y, { steps: 8 })
    await expect(radioItem('Dark')).toBeFocused()
    expect(await focusCounter.jsonValue()).toEqual({ count: 0 })
  })
  await step('the pointer moves down instead: the other item gets the focus at once, the submenu closes', async () => {
    const { start } = await hoverParentItem()
    await mouse.move(start.x, start.y + 24, { steps: 6 })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Keyboard shortcuts/)
    await expect(submenu(page)).toHaveCount(0)
  })
  await step('the pointer rests on its way: the item under it gets the focus', async () => {
    const middle = pointOnWay(await hoverParentItem())
    await mouse.move(middle.x, middle.y, { steps: 6 })
    await expect(item(page, 'Keyboard shortcuts')).toBeFocused()
    await expect(submenu(page)).toHaveCount(0)
  })
})

test('a tooltip follows the ARIA Authoring Practices', { tag: '@long' }, async () => {
  const page = thePage()
  await page.goto(`/crm/companies/${companyId}`)
  const { keyboard, mouse } = page
  const panel = page.getByRole('complementary', { name: 'Company' })
  const button = panel.getByRole('button', { name: 'Copy link' })
  // The tooltip repeats the button's name and is hidden from screen readers, so it is located by its attributes.
  const tooltip = page.locator('[popover][aria-hidden=true]')
  const centreOf = async (target: Locator) => {
    const box = await target.boundingBox()
    if (!box) throw new Error('not shown')
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  await expect(panel.getByText(/^Created/)).toBeVisible()
  const buttonBefore = panel.getByRole('button', { name: 'Write a note', exact: true })
  await buttonBefore.focus()

  await step('Tab to its control: the tooltip appears, the focus stays on the control', async () => {
    await keyboard.press('Tab')
    await expect(button).toBeFocused()
    await expect(tooltip).toHaveText('Copy link')
  })
  await step('Escape: dismisses the tooltip, and not the panel around it', async () => {
    await keyboard.press('Escape')
    await expect(tooltip).toHaveCount(0)
    await expect(panel).toBeVisible()
    await expect(button).toBeFocused()
  })
  await step('the focus moves on: the tooltip is dismissed', async () => {
    await keyboard.press('Shift+Tab')
    await keyboard.press('Tab')
    await expect(tooltip).toHaveText('Copy link')
    await keyboard.press('Tab')
    await expect(tooltip).toHaveText('More')
  })
  await step('other keys: only Escape dismisses the tooltip', async () => {
    await keyboard.press('Shift')
    await expect(tooltip).toHaveText('More')
  })
  await step('the focus returns from the menu of its control: the tooltip does not appear again', async () => {
    await keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await keyboard.press('Escape')
    await expect(panel.getByRole('button', { name: 'More' })).toBeFocused()
    await expect(tooltip).toHaveCount(0)
  })
  await step(
    'the pointer on its control, and across the gap on the tooltip: the tooltip stays as long as the pointer does',
    async () => {
      await panel.focus()
      await mouse.move(...(await centreOf(button)))
      await expect(tooltip).toHaveText('Copy link')
      await mouse.move(...(await centreOf(tooltip)), { steps: 12 })
      await page.waitForTimeout(250)
      await expect(tooltip).toHaveText('Copy link')
      await mouse.move(400, 700)
      await expect(tooltip).toHaveCount(0)
    },
  )
  await step(
    'Escape while the focus is elsewhere: dismisses the tooltip, and not the panel; again: closes the panel',
    async () => {
      await mouse.move(...(await centreOf(button)))
      await expect(tooltip).toHaveText('Copy link')
      await keyboard.press('Escape')
      await expect(tooltip).toHaveCount(0)
      await expect(panel).toBeVisible()
      await keyboard.press('Escape')
      await expect(panel).toHaveCount(0)
    },
  )
})
