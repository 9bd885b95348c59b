import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, type Person, test } from '../harness/browser.ts'
import { canBeName, lengthOf, naughtyStrings } from '../harness/naughty-strings.ts'

const texts = naughtyStrings.filter((text) => text.trim() !== '' && lengthOf(text.trim()) <= 200)
/** The texts that the database accepts as names. It refuses the others as a record's name, and leaves a person's name empty instead. */
const nameTexts = texts.filter(canBeName)

const emailAt = (index: number) => `n${index}@naughty.example`

async function fillBrand(person: Person): Promise<void> {
  const { client, brandId } = person
  const { data: stage } = await client.from('deal_stages').select('id').eq('brand_id', brandId).limit(1).single()
  const insertRows = async (table: string, rows: Record<string, unknown>[]) => {
    const { error } = await client.from(table).insert(rows.map((row) => ({ brand_id: brandId, ...row })))
    if (error) throw new Error(`${table}: ${error.message}`)
  }
  await insertRows(
    'contacts',
    texts.map((text, index) => ({ email: emailAt(index), first_name: text, title: text })),
  )
  await insertRows(
    'companies',
    nameTexts.map((text) => ({ name: text, website: text, notes: text })),
  )
  await insertRows(
    'tasks',
    nameTexts.map((title) => ({ title })),
  )
  await insertRows(
    'deals',
    nameTexts.map((name) => ({ name, stage_id: stage?.id })),
  )
}

/** Scrolls an element to its end step by step and collects the texts of the cells on the way. */
async function collectTexts(page: Page, scroller: string, cells: string): Promise<Set<string>> {
  await page.locator(scroller).waitFor()
  await page.locator(cells).first().waitFor()
  const cellTexts = await page.evaluate(
    async ({ scroller: box, cells: what }) => {
      const element = document.querySelector(box)
      if (!element) throw new Error(`no ${box}`)
      const foundTexts = new Set<string>()
      const edgePx = 200
      /** Returns true if rows cover the visible part of the element: the list renders them some time after it is scrolled. */
      const isFilled = () => {
        const { top, bottom } = element.getBoundingClientRect()
        const rects = [...element.querySelectorAll(what)].map((cell) => cell.getBoundingClientRect())
        const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1
        return (
          rects.some((rect) => rect.bottom > top && rect.top < top + edgePx) &&
          (isAtEnd || rects.some((rect) => rect.top < bottom && rect.bottom > bottom - edgePx))
        )
      }
      const pause = () => new Promise((resolve) => setTimeout(resolve, 30))
      for (let top = 0; ; top += element.clientHeight * 0.5) {
        element.scrollTo(0, top)
        await pause()
        while (!isFilled()) await pause()
        for (const cell of element.querySelectorAll(what)) foundTexts.add(cell.textContent ?? '')
        if (top + element.clientHeight >= element.scrollHeight) return [...foundTexts]
      }
    },
    { scroller, cells },
  )
  return new Set(cellTexts)
}

test('naughty strings are shown as text, without a dialog, an injected element or a violation of the content security policy', async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  const person = await createPerson(server, { brand: 'Naughty <script>alert(1)</script>' })
  await fillBrand(person)
  let dialogCount = 0
  page.on('dialog', async (dialog) => {
    dialogCount += 1
    await dialog.dismiss()
  })
  const countInjected = () =>
    page
      .locator('#root :is(script, iframe, img, object, embed, marquee, style, link, video, audio, base, meta, details)')
      .count()

  await openAs(page, person, '/crm/contacts')
  await expect(page.getByText(`${texts.length} contacts`)).toBeVisible()
  const contacts = await collectTexts(page, '[role=table]', 'a[href^="/crm/contacts/"]')
  const expectedTexts = texts.map((text, index) => (canBeName(text) ? text.trim() : emailAt(index)))
  expect(expectedTexts.filter((text) => !contacts.has(text))).toEqual([])
  expect(await countInjected()).toBe(0)

  await page.goto('/crm/companies')
  await expect(page.getByText(`${nameTexts.length} companies`)).toBeVisible()
  const companies = await collectTexts(page, '[role=region][aria-label=Companies]', 'article h2')
  expect(nameTexts.filter((text) => !companies.has(text.trim()))).toEqual([])
  const links = await page
    .locator('article a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
  for (const link of links) expect(link).toMatch(/^https?:/)
  expect(await countInjected()).toBe(0)

  await page.goto('/crm/tasks')
  await expect(page.getByText('No date')).toBeVisible()
  const tasks = await collectTexts(page, 'section[aria-label="Open Tasks"]', 'a[href^="/crm/tasks/"]')
  expect(nameTexts.filter((text) => !tasks.has(text.trim()))).toEqual([])
  expect(await countInjected()).toBe(0)

  for (const path of ['/crm/deals', '/crm/overview', '/crm/settings']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForTimeout(500)
    expect(await countInjected()).toBe(0)
  }
  expect(dialogCount).toBe(0)
})
