import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { type FakeBrowser, fakeBrowser, type Tab } from '../harness/fake-browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let browser: FakeBrowser
let tab: Tab
let person = 0

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

beforeEach(async () => {
  browser = fakeBrowser(server)
  tab = await browser.openTab()
  person += 1
  expect(await tab.signUp(`ana${person}@acme.test`, 'correct horse')).toEqual({ ok: true, signedIn: true })
  const brand = await tab.createBrand(`Acme ${person}`)
  expect(brand.status).toBe('saved')
  if (brand.status === 'saved') await tab.chooseBrand(brand.id)
  await vi.waitFor(() => expect(tab.openBrand.get()?.answered.get()).toBe(true), 5000)
})
afterEach(() => browser.close())

const data = () => tab.openBrand.get() ?? expect.fail('no brand is open')
const stages = () => [...data().tables.deal_stages.values()].sort((a, b) => a.position - b.position)

async function acmeDeal(name = 'Data migration') {
  const stage = stages()[0] ?? expect.fail('no stage')
  const outcome = await tab.createDeal({
    name,
    stage_id: stage.id,
    amount: 100,
    expected_close_date: null,
    contact_id: null,
    company_id: null,
  })
  expect(outcome.status).toBe('saved')
  return outcome.status === 'saved' ? outcome.id : ''
}

test('a new brand comes with its six stages, and a deal is saved with the id that the client gave it', async () => {
  expect(stages().map(({ name }) => name)).toEqual(['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost'])
  const id = await acmeDeal()
  expect(data().tables.deals.get(id)).toMatchObject({ name: 'Data migration', amount: 100, version: 1 })
  expect(tab.queue.get().operations).toEqual([])
})
