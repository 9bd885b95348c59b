import type { Locator } from '@playwright/test'
import { expect, openAs, test } from '../harness/browser.ts'
import { insertRow } from './contact-seeds.ts'
import { cardsOf, personWithDeals } from './deal-seeds.ts'

const name = 'אספקת מערכות מיזוג אוויר למבנה המשרדים החדש ברחוב הרצל בתל אביב, כולל התקנה ושירות לשלוש שנים (2)'

/** Returns whether a name is cut, and whether its first letter is inside the box that shows it. */
function shownPart(nameElement: Locator): Promise<{ isCut: boolean; beginsInside: boolean }> {
  return nameElement.evaluate((element) => {
    const range = document.createRange()
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    if (!text) throw new Error('the element has no text')
    range.selectNodeContents(text)
    const textBox = range.getBoundingClientRect()
    range.setEnd(text, 1)
    const [firstLetter] = range.getClientRects()
    const box = element.getBoundingClientRect()
    if (!firstLetter) throw new Error('the first letter is not on the page')
    return {
      isCut: textBox.width > box.width,
      beginsInside: firstLetter.left >= box.left && firstLetter.right <= box.right + 1,
    }
  })
}

test('on the board, a Hebrew name that is cut shows its beginning, and a short one stays at the left', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [{ name, company: name }, { name: 'שלום!' }])
  await openAs(page, person, '/crm/deals')
  const [deal, company] = [
    cardsOf(page, name).first().getByTitle(name).first(),
    cardsOf(page, name).first().getByTitle(name).last(),
  ]
  expect(await shownPart(deal)).toEqual({ isCut: true, beginsInside: true })
  expect(await shownPart(company)).toEqual({ isCut: true, beginsInside: true })
  const shortName = page.getByTitle('שלום!', { exact: true })
  const leftGaps = await shortName.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const textBox = range.getBoundingClientRect()
    range.setStart(element.firstChild ?? element, 4)
    return [textBox.left - element.getBoundingClientRect().left, range.getBoundingClientRect().left - textBox.left]
  })
  // The exclamation mark is at the left end of the name, and the name at the left end of its line.
  expect(leftGaps).toEqual([0, 0])
})

test('in lists, a Hebrew name that is cut shows its beginning, and a field has the direction of its text', async ({
  page,
  server,
}) => {
  const person = await personWithDeals(server, [
    { name: 'Roof', company: name, contact: { first: 'שלום', last: name, email: 'a@acme.example' } },
  ])
  await insertRow(person, 'tasks', { title: `${name} ${name}` })
  await openAs(page, person, '/crm/tasks')
  expect(await shownPart(page.getByRole('link', { name }))).toEqual({ isCut: true, beginsInside: true })
  await page.goto('/crm/contacts')
  expect(await shownPart(page.getByRole('link', { name }))).toEqual({ isCut: true, beginsInside: true })
  await page.goto('/crm/companies')
  expect(await shownPart(page.getByTitle(name))).toEqual({ isCut: true, beginsInside: true })
  await expect(page.getByRole('searchbox')).toHaveCSS('unicode-bidi', 'plaintext')
})
