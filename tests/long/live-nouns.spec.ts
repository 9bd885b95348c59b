import type { Page } from '@playwright/test'
import { createPerson, expect, openAs, test } from '../harness/browser.ts'
import { addOpenedMember } from '../harness/opened-member.ts'
import { insertRow } from '../e2e/contact-seeds.ts'
import { waitUntilLive } from '../e2e/live-seeds.ts'

const repetitionCount = 50
/** Maximum p95 (ms). It allows for other load on the machine. The goal on an idle machine is 300 ms. */
const maxP95Ms = 5_000

test.setTimeout(300_000)

/** Records when each text such as 'Note 7.' and each count of the bell is painted for the first time. */
async function watchPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const painted = new Map<string, number>()
    Object.assign(window, { painted })
    const observe = () => {
      const bell = document.querySelector('[aria-label^="Notifications"]')?.getAttribute('aria-label') ?? ''
      const texts = document.body.textContent?.match(/(Note|Tag|Value) \d+\./g) ?? []
      const newTexts = [bell, ...texts].filter((text) => !painted.has(text))
      for (const text of newTexts) painted.set(text, Number.NaN)
      if (newTexts.length > 0)
        requestAnimationFrame(() => {
          for (const text of newTexts) painted.set(text, Date.now())
        })
    }
    const options = { subtree: true, childList: true, characterData: true, attributeFilter: ['aria-label'] }
    new MutationObserver(observe).observe(document.body, options)
  })
}

/** Waits until this text is painted. Returns the time of its first paint (ms, by the page's clock). */
async function paintedAt(page: Page, text: string): Promise<number> {
  const readPaintTime = (wanted: string) => {
    const painted: unknown = Reflect.get(window, 'painted')
    return (painted instanceof Map && painted.get(wanted)) || 0
  }
  await expect.poll(() => page.evaluate(readPaintTime, text), { timeout: 15_000, intervals: [20] }).toBeGreaterThan(0)
  return page.evaluate(readPaintTime, text)
}

test(`a colleague's task, note, tag and field appear on a second screen, ${repetitionCount} times each, with a p95 of less than 5 s from the write to the paint`, async ({
  page,
  server,
}) => {
  const ana = await createPerson(server, { name: 'ana', brand: 'Harbour' })
  const bo = await createPerson(server, { name: 'bo' })
  await addOpenedMember(ana, bo)
  const companyId = await insertRow(ana, 'companies', { name: 'Slate & Sons' })
  const fieldId = await insertRow(ana, 'custom_fields', { table: 'companies', label: 'Region', type: 'text' })
  const tagIds: string[] = []
  for (let n = 1; n <= repetitionCount; n++) tagIds.push(await insertRow(ana, 'tags', { name: `Tag ${n}.` }))
  const untilJoined = waitUntilLive(page)
  await openAs(page, { ...bo, brandId: ana.brandId }, `/crm/companies/${companyId}`)
  await untilJoined
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeVisible()
  await expect(page.getByRole('complementary')).toContainText('Region')
  await watchPage(page)

  const changeCompany = async (values: Record<string, unknown>) => {
    const { error } = await ana.client.from('companies').update(values).eq('brand_id', ana.brandId).eq('id', companyId)
    expect(error).toBeNull()
  }
  const writes: Record<string, { write: (n: number) => Promise<unknown>; text: (n: number) => string }> = {
    bell: {
      write: (n) => insertRow(ana, 'tasks', { title: `Task ${n}`, assignee_id: bo.userId }),
      text: (n) => `Notifications, ${n} unread`,
    },
    note: {
      write: (n) => insertRow(ana, 'notes', { company_id: companyId, body: `Note ${n}.` }),
      text: (n) => `Note ${n}.`,
    },
    tag: { write: (n) => changeCompany({ tag_ids: [tagIds[n - 1]] }), text: (n) => `Tag ${n}.` },
    field: { write: (n) => changeCompany({ custom: { [fieldId]: `Value ${n}.` } }), text: (n) => `Value ${n}.` },
  }
  for (const [kind, { write, text }] of Object.entries(writes)) {
    const delays: number[] = []
    for (let n = 1; n <= repetitionCount; n++) {
      const startedAt = Date.now()
      await write(n)
      delays.push((await paintedAt(page, text(n))) - startedAt)
    }
    delays.sort((a, b) => a - b)
    const p95 = delays[Math.ceil(repetitionCount * 0.95) - 1] ?? Number.POSITIVE_INFINITY
    console.log(
      `${kind}: median ${delays[Math.floor(repetitionCount / 2)]} ms, p95 ${p95} ms, most ${delays.at(-1)} ms`,
    )
    expect(p95, kind).toBeLessThan(maxP95Ms)
  }
})
