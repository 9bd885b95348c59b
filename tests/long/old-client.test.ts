import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import ws from 'ws'
import { projectRoot } from '#server/db/project-root.ts'
import { goOnline, dataOf, goOffline, stageOf, untilPulled, untilSent, waitOptions } from '../harness/acme.ts'
import {
  beginJourney,
  receiveChange,
  journeyPassword,
  namesOf,
  signInOnNewDevice,
  workOffline,
  workOnline,
} from '../harness/data-journey.ts'
import { type TestDatabase, testDatabase } from '../harness/database.ts'
import { callEverything } from '../harness/earlier-calls.ts'
import {
  checkOutRelease,
  earlierBrowser,
  earlierModule,
  earlierReleases,
  startEarlierServer,
} from '../harness/earlier-release.ts'
import { exchangeRecorder, textOf } from '../harness/exchanges.ts'
import { type FakeBrowser, fakeBrowser } from '../harness/fake-browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Returns an official client that sends its requests by `fetch`, because the network of the fake browser does not apply to it. */
function clientOf({ url, publishableKey }: TestServer, fetch: typeof globalThis.fetch) {
  return createClient(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: ws as never },
    global: { fetch },
  })
}

/** Runs all actions of Ana, with the changes of a colleague. Returns the journey on a new device, where she signs in at the end. */
async function playAll(server: TestServer, browser: FakeBrowser, fetch: typeof globalThis.fetch) {
  await clientOf(server, fetch).auth.signUp({ email: 'bo@acme.test', password: journeyPassword })
  const journey = await beginJourney(browser, 'ana@acme.test')
  await workOnline(journey, browser)
  const colleague = clientOf(server, fetch)
  await colleague.auth.signInWithPassword({ email: journey.email, password: journeyPassword })
  await workOffline(journey, browser, colleague)
  await receiveChange(journey, colleague)
  return signInOnNewDevice(journey, browser)
}

/** A module of the earlier release. Its function returns true if the open page is out of date. */
interface NewerCopy {
  hasNewerCopy: () => boolean
}

const { fetch } = globalThis

describe.each(earlierReleases)('the release $name', (release) => {
  let folder: string
  let dataDir: string
  let database: TestDatabase
  const servers: TestServer[] = []
  const browsers: FakeBrowser[] = []

  beforeAll(() => {
    folder = checkOutRelease(release)
  })
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'banyan-earlier-'))
    database = await testDatabase({ empty: true })
  })
  afterEach(async () => {
    globalThis.fetch = fetch
    for (const browser of browsers.splice(0)) browser.close()
    for (const server of servers.splice(0)) await server.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const trackServer = async (startingServer: Promise<TestServer>) => {
    const server = await startingServer
    servers.push(server)
    return server
  }
  const trackBrowser = <Browser extends FakeBrowser>(browser: Browser) => {
    browsers.push(browser)
    return browser
  }
  const startReleaseServer = () => trackServer(startEarlierServer(folder, { databaseUrl: database.url, dataDir }))
  const startCurrentServer = (env = {}) => trackServer(startTestServer({ databaseUrl: database.url, dataDir, env }))

  // Writes the fixture for tests/api/old-client.test.ts.
  test.runIf(process.env.RECORD_EARLIER_CLIENTS === '1')('the requests of this release are recorded', async () => {
    const server = await startReleaseServer()
    const { recordingFetch, recorded } = exchangeRecorder(fetch, server)
    globalThis.fetch = recordingFetch
    const journey = await playAll(server, trackBrowser(await earlierBrowser(folder, server)), recordingFetch)
    await callEverything(release, folder, journey)
    const fixtures = join(import.meta.dirname, '../fixtures/earlier-clients')
    await mkdir(fixtures, { recursive: true })
    await writeFile(join(fixtures, `${release.name}.json`), textOf(recorded()))
  })

  test('the client of this release works with the current server', async () => {
    const server = await startCurrentServer()
    const journey = await playAll(server, trackBrowser(await earlierBrowser(folder, server)), fetch)
    await callEverything(release, folder, journey)
  })

  test('the current client works with the server of this release; a list that this server cannot search shows the rows of the device', async () => {
    const server = await startReleaseServer()
    const { tab } = await playAll(server, trackBrowser(fakeBrowser(server)), fetch)
    const data = dataOf(tab)
    data.state.set({ ...data.state.get(), tables: {} })
    const list = tab.contactList(data, tab.listKey('zoe', {}))
    const stop = list.subscribe(() => {})
    const expectedList = { total: 1, searching: false, partial: !release.usesReadQueries }
    await vi.waitFor(() => expect(list.read()).toMatchObject(expectedList), waitOptions)
    expect(list.read().at(0)).toMatchObject({ contact: { email: 'zoe@zoo.test' } })
    stop()
  })

  test('the current client takes over the data that this release left on a device, and sends the waiting changes when the server is updated', async () => {
    const earlierServer = await startReleaseServer()
    const browser = trackBrowser(await earlierBrowser(folder, earlierServer))
    const { tab, brandId } = await beginJourney(browser, 'ana@acme.test')
    await workOnline({ tab, brandId, email: '' }, browser)
    const { hasNewerCopy } = await earlierModule<NewerCopy>(folder, 'src/web/data/store/newer-copy.ts')
    goOffline({ browser, tab })
    const roofId = [...dataOf(tab).tables.deals.values()].find(({ name }) => name === 'Roof')?.id ?? ''
    await tab.updateRecord(tab.device, 'deals', roofId, { name: 'Roof, kept' })
    await tab.moveDeal(tab.device, roofId, stageOf(tab, 'Lost').id)
    // The earlier release uses the browser's APIs as global variables. Keeps the stubs of them for its next tab.
    const { indexedDB, sessionStorage, navigator, BANYAN_CONFIG } = globalThis
    const globalsOfRelease = { indexedDB, sessionStorage, navigator, BANYAN_CONFIG, fetch: globalThis.fetch }
    await servers.pop()?.stop()

    const server = await startCurrentServer({ PORT: String(earlierServer.port) })
    // Opens the current client on the same device: with the same IndexedDB, but another network.
    vi.unstubAllGlobals()
    const currentBrowser = trackBrowser(fakeBrowser(server, { indexedDB }))
    currentBrowser.network.offline = true
    const currentTab = await currentBrowser.openTab()
    await vi.waitFor(() => expect(currentTab.openBrand(currentTab.device).get()?.loaded.get()).toBe(true), waitOptions)
    expect(namesOf(currentTab)).toContain('Roof, kept')
    expect(await currentTab.countUnsent(currentTab.device)).toBe(2)
    // The open page of the earlier release says that it is out of date.
    expect(hasNewerCopy()).toBe(true)
    await goOnline({ browser: currentBrowser, tab: currentTab })
    await untilSent(currentTab)
    await untilPulled(currentTab)
    expect(dataOf(currentTab).tables.deals.serverRow(roofId)).toMatchObject({
      name: 'Roof, kept',
      stage_id: stageOf(currentTab, 'Lost').id,
    })

    // The reverse: the current client has left a change on the device, and the earlier release is loaded again.
    goOffline({ browser: currentBrowser, tab: currentTab })
    await currentTab.updateRecord(currentTab.device, 'deals', roofId, { name: 'Roof, later' })
    for (const [name, value] of Object.entries(globalsOfRelease)) vi.stubGlobal(name, value)
    browser.network.offline = false
    const earlierTab = await browser.openTab()
    const reloadedModule = await earlierModule<NewerCopy>(folder, 'src/web/data/store/newer-copy.ts')
    await untilPulled(earlierTab)
    expect(reloadedModule.hasNewerCopy()).toBe(true)
    await earlierTab.sendWaiting(earlierTab.device)
    await vi.waitFor(async () => expect(await earlierTab.countUnsent(earlierTab.device)).toBe(0), waitOptions)
    const { rows } = await database.owner.query('select name from public.deals where id = $1', [roofId])
    expect(rows).toEqual([{ name: 'Roof, later' }])
  })

  test('the server of this release refuses a database that the current server has migrated, and says what to do', async () => {
    const migrationsOf = (root: string) => readdirSync(join(root, 'supabase/migrations'))
    const newMigrations = migrationsOf(projectRoot()).filter((name) => !migrationsOf(folder).includes(name))
    const server = await startCurrentServer()
    const email = 'ana@acme.test'
    await clientOf(server, fetch).auth.signUp({ email, password: journeyPassword })
    await servers.pop()?.stop()
    if (newMigrations.length > 0)
      return expect(startReleaseServer()).rejects.toThrow(/migrated by a newer release .* restore a backup/)
    const { error } = await clientOf(await startReleaseServer(), fetch).auth.signInWithPassword({
      email,
      password: journeyPassword,
    })
    expect(error).toBeNull()
  })
})

test('in a clone without the commit of a release, the check-out of that release fails', () => {
  const missing = { name: '0.0.0', commit: '0'.repeat(40), usesReadQueries: false }
  expect(() => checkOutRelease(missing)).toThrow(/\(0\.0\.0\) is not in this clone/)
})
