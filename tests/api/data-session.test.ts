import { expect, test, vi } from 'vitest'
import { goOnline, dataOf, makeDeal, waitOptions, stageOf, untilPulled, untilSent } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme, server } from '../harness/acme-scene.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { signUpPerson, testClient } from '../harness/client.ts'

setUpAcme()

function settle<T>(request: IDBRequest<T>, resolve: (value: T) => void, reject: (error: unknown) => void): void {
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error))
}

/** Returns the content of this browser's IndexedDB as text, with its keys. */
async function everythingStored(): Promise<string> {
  const texts: string[] = []
  for (const { name } of await acme.browser.indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = acme.browser.indexedDB.open(name ?? '')
      settle(request, resolve, reject)
    })
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store)
      const resultOf = <T>(request: IDBRequest<T[]>) =>
        new Promise<T[]>((resolve, reject) => settle(request, resolve, reject))
      const [keys, rows] = await Promise.all([resultOf(objects.getAllKeys()), resultOf<unknown>(objects.getAll())])
      texts.push(`${name} ${store} ${JSON.stringify(keys)} ${JSON.stringify(rows)}`)
    }
    database.close()
  }
  return texts.join('\n')
}

test('a sign-in with a wrong password, and a sign-up with a known e-mail address, return the server’s message', async () => {
  expect(await acme.tab.signIn(acme.tab.device, acme.email, 'wrong')).toEqual({
    ok: false,
    message: 'Invalid login credentials',
    code: 'invalid_credentials',
  })
  expect(await acme.tab.signUp(acme.tab.device, acme.email, 'correct horse')).toMatchObject({
    ok: false,
    message: 'User already registered',
  })
  acme.browser.network.offline = true
  expect(await acme.tab.signIn(acme.tab.device, acme.email, 'correct horse')).toMatchObject({
    ok: false,
    message: expect.stringMatching(/does not answer/),
  })
})

test('an offline reload keeps session, brand, rows and waiting operations', async () => {
  const id = await makeDeal(acme.tab, { name: 'Seen before' })
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)
  const reloaded = await acme.browser.openTab()
  expect(await reloaded.readSession(reloaded.device)).toEqual({
    userId: acme.userId,
    email: acme.email,
    expired: false,
  })
  expect(await reloaded.readActiveBrandId(reloaded.device)).toBe(acme.brandId)
  await vi.waitFor(() => expect(reloaded.openBrand(reloaded.device).get()?.loaded.get()).toBe(true), waitOptions)
  await vi.waitFor(
    () => expect(dataOf(reloaded).tables.deals.get(id)?.stage_id).toBe(stageOf(reloaded, 'Won').id),
    waitOptions,
  )
  expect((await reloaded.readMemberships(reloaded.device)).map(({ brandId, role }) => ({ brandId, role }))).toEqual([
    { brandId: acme.brandId, role: 'owner' },
  ])
})

test('an edit in one tab appears in the other before any pull, and each operation is sent once', async () => {
  const id = await makeDeal(acme.tab)
  const second = await acme.browser.openTab()
  await untilPulled(second)
  acme.browser.network.offline = true
  for (const tab of [acme.tab, second]) tab.reachable(tab.device).set(false)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Qualified').id)
  await vi.waitFor(
    () => expect(dataOf(second).tables.deals.get(id)?.stage_id).toBe(stageOf(second, 'Qualified').id),
    waitOptions,
  )
  await second.moveDeal(second.device, id, stageOf(second, 'Won').id)
  acme.browser.network.log.length = 0
  acme.browser.network.offline = false
  await Promise.all([goOnline({ ...acme, tab: second }), goOnline(acme)])
  await Promise.all([untilSent(acme.tab), untilSent(second)])
  const keys = acme.browser.network.log.filter(({ method }) => method === 'PATCH').map(({ key }) => key)
  expect(new Set(keys).size).toBe(2)
  expect(await inDatabase('select stage_id, version from public.deals where id = $1', id)).toEqual([
    { stage_id: stageOf(second, 'Won').id, version: 3 },
  ])
  await vi.waitFor(() => expect(dataOf(acme.tab).tables.deals.get(id)?.version).toBe(3), waitOptions)
})

test('sign-out wipes the user’s data from the device, in all tabs', async () => {
  await acme.tab.sendTimeZone(acme.tab.device)
  await makeDeal(acme.tab, { name: 'MARKER-deal' })
  await acme.tab.addContact(acme.tab.device, {
    email: 'marker-person@acme.test',
    first_name: 'MARKER',
    last_name: null,
    company: 'MARKER-company',
  })
  const second = await acme.browser.openTab()
  await untilPulled(second)
  expect(await everythingStored()).toMatch(/MARKER-deal/)
  await acme.tab.signOut(acme.tab.device)
  const storedAfter = await everythingStored()
  expect(storedAfter).not.toMatch(/MARKER|marker/)
  expect(storedAfter).not.toContain(acme.email)
  expect(storedAfter).not.toContain(acme.userId)
  expect(storedAfter).not.toContain('access_token')
  await vi.waitFor(() => expect(second.sessionState(second.device).get().session).toBeNull(), waitOptions)
  await vi.waitFor(() => expect(second.openBrand(second.device).get()).toBeNull(), waitOptions)
  await second.requestPull(second.device)
  expect(await everythingStored()).not.toMatch(/MARKER|marker/)
})

test('data that a sign-out discards does not return with a sign-in before the sign-out has finished', async () => {
  const { tab, browser } = acme
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
  const noFields = { first_name: null, last_name: null, company: null }
  await tab.addContact(tab.device, { ...noFields, email: 'gone@acme.test' })
  // The response to the sign-out is late; nothing is sent before the sign-in.
  const passLater = () => new Promise<'pass'>((resolve) => setTimeout(() => resolve('pass'), 300))
  browser.network.judge = (url) =>
    url.includes('/logout') ? passLater() : url.includes('/rest/v1/') ? 'refuse' : 'pass'
  browser.network.offline = false
  const signOut = tab.signOut(tab.device)
  await vi.waitFor(() => expect(tab.sessionState(tab.device).get().session).toBeNull(), waitOptions)
  expect((await tab.signIn(tab.device, acme.email, 'correct horse')).ok).toBe(true)
  browser.network.judge = () => 'pass'
  await signOut
  tab.reachable(tab.device).set(true)
  await tab.sendWaiting(tab.device)
  expect(await tab.countUnsent(tab.device)).toBe(0)
  expect(await inDatabase('select email from public.contacts where brand_id = $1', acme.brandId)).toEqual([])
})

test('when another user signs in, rows are wiped, and unsent edits stay hidden and unsent until their user signs in', async () => {
  const eve = await signUpPerson(server, `eve-${Date.now()}@eve.test`)
  const id = await makeDeal(acme.tab, { name: 'MARKER-deal' })
  acme.browser.network.offline = true
  acme.tab.reachable(acme.tab.device).set(false)
  await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)
  // The device is online again, but nothing can be sent until Eve has signed in.
  acme.browser.network.judge = (url) => (url.includes('/rest/v1/') ? 'refuse' : 'pass')
  acme.browser.network.offline = false
  const won = stageOf(acme.tab, 'Won').id
  const secondTab = await acme.browser.openTab()
  expect((await secondTab.signIn(secondTab.device, eve.user.email ?? '', 'correct horse')).ok).toBe(true)
  await vi.waitFor(
    () => expect(acme.tab.sessionState(acme.tab.device).get().session?.userId).not.toBe(acme.userId),
    waitOptions,
  )
  acme.browser.network.judge = () => 'pass'
  secondTab.reachable(secondTab.device).set(true)
  await secondTab.sendWaiting(secondTab.device)
  expect(secondTab.queue(secondTab.device).get().operations).toEqual([])
  expect(await secondTab.countUnsent(secondTab.device)).toBe(0)
  expect(await inDatabase('select version from public.deals where id = $1', id)).toEqual([{ version: 1 }])
  expect(await everythingStored()).not.toMatch(/MARKER-deal.*"rev"/)
  expect((await secondTab.signIn(secondTab.device, acme.email, 'correct horse')).ok).toBe(true)
  await secondTab.chooseBrand(secondTab.device, acme.brandId)
  await vi.waitFor(() => expect(secondTab.queue(secondTab.device).get().userId).toBe(acme.userId), waitOptions)
  await untilSent(secondTab)
  await vi.waitFor(async () => {
    const [row] = await inDatabase('select stage_id, version from public.deals where id = $1', id)
    expect(row).toEqual({ stage_id: won, version: 2 })
  })
})

test('a link of an email stays in the tab when another user signs in to follow it, and not after a sign-out', async () => {
  const eve = await signUpPerson(server, `eve-${Date.now()}@eve.test`)
  const tab = await acme.browser.openTab()
  const storedValue = (key: string) => tab.device.tabStorage?.getItem(key) ?? null
  const link = '#token_hash=a&type=invite'
  tab.device.tabStorage?.setItem('banyan-link', link)
  tab.device.tabStorage?.setItem('banyan-next', '/crm/deals')
  expect((await tab.signIn(tab.device, eve.user.email ?? '', 'correct horse')).ok).toBe(true)
  expect([storedValue('banyan-link'), storedValue('banyan-next')]).toEqual([link, null])
  await tab.signOut(tab.device)
  expect(storedValue('banyan-link')).toBeNull()
  expect((await tab.signIn(tab.device, acme.email, 'correct horse')).ok).toBe(true)
  await tab.chooseBrand(tab.device, acme.brandId)
})

test('another user who signs in in the same tab gets nothing of the earlier user’s brand', async () => {
  const { tab } = acme
  const eve = await signUpPerson(server, `eve-${Date.now()}@eve.test`)
  const earlierMemberships = tab.membershipsOf(tab.device).get()
  expect(earlierMemberships.memberships.map(({ brandId }) => brandId)).toEqual([acme.brandId])
  expect((await tab.signIn(tab.device, eve.user.email ?? '', 'correct horse')).ok).toBe(true)
  expect(tab.sessionState(tab.device).get().session?.userId).toBe(eve.user.id)
  expect(tab.membershipsOf(tab.device).get().memberships).toEqual([])
  expect(await tab.readMemberships(tab.device)).toEqual([])
  // A late response to a request of the earlier user writes that user's memberships.
  tab.membershipsOf(tab.device).set(earlierMemberships)
  expect(await tab.readMemberships(tab.device)).toEqual([])
  expect(await tab.readActiveBrandId(tab.device)).toBeNull()
  expect(tab.openBrand(tab.device).get()).toBeNull()
})

test('a tab without a session learns of a sign-in in another tab before it loads the client, and of a session that was renewed', async () => {
  const { tab, browser, email, userId } = acme
  await tab.signOut(tab.device)
  const secondTab = await browser.openTab()
  expect(await secondTab.readSession(secondTab.device)).toBeNull()
  const sessionOfSecondTab = () => secondTab.sessionState(secondTab.device).get().session
  const expectedSession = { userId, email, expired: false }
  expect(await tab.signIn(tab.device, email, 'correct horse')).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(sessionOfSecondTab()).toEqual(expectedSession), waitOptions)
  for (const { sessionState, device } of [tab, secondTab])
    sessionState(device).set({ ready: true, session: { ...expectedSession, expired: true } })
  expect(await tab.signIn(tab.device, email, 'correct horse')).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(sessionOfSecondTab()).toEqual(expectedSession), waitOptions)
})

test('a sign-in of another user in another tab sets `replaced` and the session of that user; a sign-out clears both', async () => {
  const { tab, browser, email } = acme
  const secondTab = await browser.openTab()
  await secondTab.readSession(secondTab.device)
  const bo = await signUpPerson(server, `bo-${Date.now()}@bo.test`)
  const states: { userId: string | null; replaced: boolean }[] = []
  const stop = tab.sessionState(tab.device).subscribe(() => {
    const { session, replaced = false } = tab.sessionState(tab.device).get()
    states.push({ userId: session?.userId ?? null, replaced })
  })
  expect(await secondTab.signIn(secondTab.device, bo.user.email ?? '', 'correct horse')).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(states.at(-1)).toEqual({ userId: bo.user.id, replaced: true }), waitOptions)
  expect(states[0]).toEqual({ userId: null, replaced: true })
  await secondTab.signOut(secondTab.device)
  await vi.waitFor(() => expect(states.at(-1)).toEqual({ userId: null, replaced: false }), waitOptions)
  expect(await secondTab.signIn(secondTab.device, email, 'correct horse')).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(states.at(-1)).toEqual({ userId: acme.userId, replaced: false }), waitOptions)
  stop()
})

test('a tab ignores the sign-out of a user other than its own', async () => {
  const { tab, browser } = acme
  const secondTab = await browser.openTab()
  await untilPulled(secondTab)
  postToTabs(secondTab.device, { type: 'signed-out', userId: crypto.randomUUID() })
  // Tabs get messages in order: after the edit has arrived, the message about the sign-out was handled.
  await secondTab.moveDeal(secondTab.device, await makeDeal(tab), stageOf(tab, 'Won').id)
  await untilSent(secondTab)
  await vi.waitFor(() => expect([...dataOf(tab).tables.deals.values()][0]?.version).toBe(2), waitOptions)
  expect(tab.sessionState(tab.device).get().session?.userId).toBe(acme.userId)
})

test('after the server has ended the session nothing is lost, edits continue, and the next sign-in sends them', async () => {
  const id = await makeDeal(acme.tab)
  await inDatabase('delete from auth.sessions where user_id = $1', acme.userId)
  await acme.tab.requestPull(acme.tab.device)
  await vi.waitFor(() =>
    expect(acme.tab.sessionState(acme.tab.device).get().session).toMatchObject({ userId: acme.userId, expired: true }),
  )
  expect(dataOf(acme.tab).tables.deals.get(id)).toBeDefined()
  expect(await acme.tab.moveDeal(acme.tab.device, id, stageOf(acme.tab, 'Won').id)).toEqual({
    status: 'queued',
    id,
  })
  expect((await acme.tab.signIn(acme.tab.device, acme.email, 'correct horse')).ok).toBe(true)
  await untilSent(acme.tab)
  expect(await inDatabase('select version from public.deals where id = $1', id)).toEqual([{ version: 2 }])
})

test('waiting operations of an ended session (a new contact, a move, a completed task and a delete) stay until the next sign-in', async () => {
  const { tab, browser, brandId, userId, email } = acme
  const movedDeal = await makeDeal(tab, { name: 'Moved' })
  const deletedDealId = await makeDeal(tab, { name: 'Deleted' })
  const task = await tab.createTask(tab.device, {
    title: 'Call',
    due_at: null,
    priority: 'normal',
    contact_id: null,
    deal_id: null,
  })
  browser.network.offline = true
  tab.reachable(tab.device).set(false)
  await tab.addContact(tab.device, {
    email: 'late@acme.test',
    first_name: 'Late',
    last_name: null,
    company: null,
  })
  await tab.moveDeal(tab.device, movedDeal, stageOf(tab, 'Won').id)
  if (task.status === 'saved') await tab.setTaskStatus(tab.device, task.id, 'done')
  await tab.deleteRecords(tab.device, 'deals', [deletedDealId])
  await inDatabase('delete from auth.sessions where user_id = $1', userId)
  // No pull succeeds, so that a request of the outbox is the first that finds the session ended.
  browser.network.judge = (url) => (url.includes('/rpc/pull') ? 'refuse' : 'pass')
  browser.network.offline = false
  await tab.sendWaiting(tab.device)
  await vi.waitFor(
    () => expect(tab.sessionState(tab.device).get().session).toMatchObject({ userId, expired: true }),
    waitOptions,
  )
  expect(
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ state }) => state),
  ).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  browser.network.judge = () => 'pass'
  expect((await tab.signIn(tab.device, email, 'correct horse')).ok).toBe(true)
  await untilSent(tab)
  expect(
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ title, state, reason }) => [title, state, reason]),
  ).toEqual([])
  const [stateOnServer] = await inDatabase(
    `select (select count(*)::int from public.contacts where brand_id = $1) as contacts,
            (select array_agg(name) from public.deals where brand_id = $1) as deals,
            (select version from public.deals where id = $2) as moves,
            (select status from public.tasks where brand_id = $1) as task`,
    brandId,
    movedDeal,
  )
  expect(stateOnServer).toMatchObject({ contacts: 1, deals: ['Moved'], moves: 2, task: 'done' })
})

test('after a member was removed, the brand’s rows are wiped, and the tab gets the reason', async () => {
  await makeDeal(acme.tab, { name: 'MARKER-deal' })
  const bo = await signUpPerson(server, `bo-${Date.now()}@acme.test`)
  await inDatabase(
    "insert into public.memberships (brand_id, user_id, role, display_name) values ($1, $2, 'owner', 'Bo')",
    acme.brandId,
    bo.user.id,
  )
  const client = testClient(server)
  await client.auth.signInWithPassword({ email: bo.user.email ?? '', password: 'correct horse' })
  const { error } = await client.from('memberships').delete().eq('brand_id', acme.brandId).eq('user_id', acme.userId)
  if (error)
    await inDatabase('delete from public.memberships where brand_id = $1 and user_id = $2', acme.brandId, acme.userId)
  await acme.tab.requestPull(acme.tab.device)
  expect(acme.tab.activeBrandState(acme.tab.device).get()).toMatchObject({ brandId: acme.brandId, lost: 'removed' })
  expect(dataOf(acme.tab).tables.deals.size).toBe(0)
  expect(await everythingStored()).not.toMatch(/MARKER-deal/)
})

test('an import sends fewer rows per request if they have more than 50 custom fields', () => {
  const chunkSize = (customFields?: number) =>
    acme.tab.startContactImport(acme.tab.device, {
      ...(customFields !== undefined && { customFields }),
      signal: AbortSignal.abort(),
      onOutcomes: () => {},
    }).chunkSize
  expect([undefined, 0, 10, 50, 51, 200].map(chunkSize)).toEqual([500, 500, 500, 500, 490, 125])
})

test('an import in chunks reports an outcome for each row, adds no row twice after a lost response, and stores the rows on the device', async () => {
  let dropCount = 0
  acme.browser.network.judge = (url) => (url.includes('import_contacts') && dropCount++ < 1 ? 'drop-answer' : 'pass')
  const rows: Parameters<ReturnType<typeof acme.tab.startContactImport>['push']>[0][number][] = Array.from(
    { length: 1800 },
    (_, row) => ({
      row: row + 2,
      email: `p${row}@import.test`,
      first_name: `F${row}`,
      last_name: null,
      company: row % 2 ? 'Shared Ltd' : null,
    }),
  )
  rows.push({ row: 2000, email: 'P7@IMPORT.test', first_name: null, last_name: null, company: null })
  rows.push({ row: 2001, email: 'no-address', first_name: null, last_name: null, company: null })
  const outcomes: { row: number; status: string }[] = []
  const waits: unknown[] = []
  const contactImport = acme.tab.startContactImport(acme.tab.device, {
    signal: new AbortController().signal,
    onOutcomes: (some) => outcomes.push(...some),
    onWaiting: (waiting) => waits.push(waiting),
  })
  for (let start = 0; start < rows.length; start += contactImport.chunkSize)
    await contactImport.push(rows.slice(start, start + contactImport.chunkSize))
  await contactImport.finish()
  expect(outcomes.map(({ row }) => row)).toEqual(rows.map(({ row }) => row))
  expect(outcomes.filter(({ status }) => status === 'error').map(({ row }) => row)).toEqual([2001])
  expect(waits).toEqual(['silent', null])
  // The first outcomes are those of the repeated request, which found its rows imported.
  expect(outcomes.filter(({ status }) => status === 'created')).toHaveLength(1300)
  expect(await contactImport.readWritten()).toEqual({ created: 1800, updated: 0, changed: 0 })
  expect(await inDatabase('select count(*)::int as n from public.contacts where brand_id = $1', acme.brandId)).toEqual([
    { n: 1800 },
  ])
  await acme.tab.requestPull(acme.tab.device)
  expect(dataOf(acme.tab).tables.contacts.size).toBe(1800)
  expect([...dataOf(acme.tab).tables.companies.values()].map(({ name }) => name)).toEqual(['Shared Ltd'])
})

test('on a full disk the brands are listed, and a brand can be chosen or created', async () => {
  const { tab, brandId } = acme
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const putOnFullDisk = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError')
  })
  try {
    const second = await tab.createBrand(tab.device, `Umbra ${crypto.randomUUID()}`)
    expect(second.status).toBe('saved')
    expect((await tab.readMemberships(tab.device)).length).toBe(2)
    await tab.chooseBrand(tab.device, 'id' in second ? (second.id ?? '') : '')
    await tab.chooseBrand(tab.device, brandId)
    expect(tab.activeBrandState(tab.device).get().brandId).toBe(brandId)
    expect(warn).toHaveBeenCalledWith('A value could not be stored on this device.', expect.any(DOMException))
  } finally {
    putOnFullDisk.mockRestore()
    warn.mockRestore()
  }
})
