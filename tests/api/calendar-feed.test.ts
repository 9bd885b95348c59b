import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, testClient } from '../harness/client.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const siteUrl = 'https://crm.example.com'
let server: TestServer
let url = ''
let ana: Awaited<ReturnType<typeof signUpPerson>>
let bo: Awaited<ReturnType<typeof signUpPerson>>
const [acme, umbra] = [crypto.randomUUID(), crypto.randomUUID()]

beforeAll(async () => {
  server = await startTestServer({ env: { SITE_URL: siteUrl } })
  url = `http://localhost:${server.port}`
  ana = await signUpPerson({ ...server, url }, 'ana@feed.example')
  bo = await signUpPerson({ ...server, url }, 'bo@feed.example')
  await ana.client.from('brands').insert({ id: acme, name: 'Acme' })
  await bo.client.from('brands').insert({ id: umbra, name: 'Umbra' })
  await query(
    server,
    `insert into public.memberships (user_id, brand_id, role, opened_at) values ($1, $2, 'member', now())`,
    bo.user.id,
    acme,
  )
})
afterAll(() => server.stop())

const requestPath = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${address}`, { headers, method })
const addressOf = (secret: unknown) => `/calendar/${String(secret)}.ics`
async function makeFeed({ client }: typeof ana): Promise<string> {
  const { data, error } = await client.rpc('make_calendar_feed')
  expect(error).toBeNull()
  return addressOf(data)
}
async function eventsAt(address: string) {
  const response = await requestPath(address)
  expect(response.status).toBe(200)
  return new ICAL.Component(ICAL.parse(await response.text()))
    .getAllSubcomponents('vevent')
    .map((one) => new ICAL.Event(one))
}
const summaries = async (address: string) => (await eventsAt(address)).map(({ summary }) => summary)
async function addTask(brand_id: string, more: Record<string, unknown>) {
  const due_at = new Date(Date.now() + 86_400_000).toISOString()
  const { data, error } = await bo.client
    .from('tasks')
    .insert({ brand_id, title: 'Task', due_at, assignee_id: bo.user.id, ...more })
    .select('id')
    .single()
  expect(error).toBeNull()
  return String(data?.id)
}

it('a feed contains the person’s open tasks with a due date, of all their brands, each with its subject and a link to its page', async () => {
  const contact = await bo.client.rpc('upsert_contact', {
    p_brand_id: acme,
    p_email: 'margaret@linden.example',
    p_first: 'Margaret',
    p_last: 'Fern',
    p_company_name: 'Linden; Health',
  })
  const id = await addTask(acme, {
    title: 'Call, then write',
    contact_id: contact.data,
    priority: 'high',
    due_at: '2027-03-28T08:30:00Z',
  })
  await addTask(umbra, { title: 'On a day', due_at: '2027-04-01T23:59:59.999Z' })
  await addTask(acme, { title: 'Of Ana', assignee_id: ana.user.id })
  await addTask(acme, { title: 'Done', status: 'done' })
  await addTask(acme, { title: 'Some time', due_at: null })
  const [first, second, ...more] = await eventsAt(await makeFeed(bo))
  expect(more).toEqual([])
  expect(first).toMatchObject({
    uid: `${acme}.${id}@banyan-crm`,
    summary: 'Call, then write',
    description: `Contact: Margaret Fern\nCompany: Linden; Health\nHigh priority\nAcme\n${siteUrl}/crm/tasks/${id}`,
  })
  expect(first?.startDate.toString()).toBe('2027-03-28T08:30:00Z')
  expect(second?.summary).toBe('On a day')
  expect(second?.startDate.toString()).toBe('2027-04-01')
})

it('a feed is reported as unchanged until something changes, is private to its owner, and is not kept by proxies', async () => {
  const address = await makeFeed(bo)
  const response = await requestPath(address)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
  })
  const etag = response.headers.get('etag') ?? ''
  const unchangedResponse = await requestPath(address, { 'If-None-Match': `W/"x", ${etag}` })
  expect([unchangedResponse.status, await unchangedResponse.text()]).toEqual([304, ''])
  const head = await requestPath(address, {}, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  await addTask(acme, { title: 'New' })
  expect((await requestPath(address, { 'If-None-Match': etag })).status).toBe(200)
  expect((await requestPath(address, {}, 'POST')).status).toBe(405)
})

it('once a feed is renewed or turned off, its old URL returns 404 like an unknown one; the secret is not in the database', async () => {
  const first = await makeFeed(bo)
  const second = await makeFeed(bo)
  const endedResponse = await requestPath(first)
  const unknownResponse = await requestPath(addressOf('0'.repeat(64)))
  expect(endedResponse.status).toBe(404)
  expect([endedResponse.status, await endedResponse.text()]).toEqual([
    unknownResponse.status,
    await unknownResponse.text(),
  ])
  expect((await requestPath('/calendar/x.ics')).status).toBe(404)
  expect((await bo.client.rpc('calendar_feed')).data).toEqual({ made_at: expect.any(String), ended: null })
  const storedRows = await query(server, 'select f::text as row from private.calendar_feeds f')
  expect(JSON.stringify(storedRows)).not.toContain(second.slice(10, 74))
  for (const { client } of [ana, bo]) expect((await client.from('calendar_feeds').select()).error).not.toBeNull()
  expect((await ana.client.rpc('end_calendar_feed')).error).toBeNull()
  expect((await requestPath(second)).status).toBe(200)
  expect((await bo.client.rpc('end_calendar_feed')).error).toBeNull()
  expect((await requestPath(second)).status).toBe(404)
  expect((await bo.client.rpc('calendar_feed')).data).toBeNull()
})

it('a feed created in a stolen session ends when the person changes the password or ends sessions, and stays valid after a sign-out', async () => {
  const email = 'cy@feed.example'
  const cy = await signUpPerson({ ...server, url }, email)
  let password = 'correct horse'
  const signIn = async () => {
    const client = testClient({ ...server, url })
    const { data } = await client.auth.signInWithPassword({ email, password })
    return { client, id: String(JSON.parse(atob(data.session?.access_token.split('.')[1] ?? '')).session_id) }
  }
  /** Signs in as Cy in another session, as a thief could, and creates a calendar feed there. */
  const makeStolenFeed = async () => {
    const { client, id } = await signIn()
    const { data } = await client.rpc('make_calendar_feed')
    return { client, id, address: addressOf(data) }
  }
  const statusOf = async (address: string) => (await requestPath(address)).status
  const endReason = async () => (await cy.client.rpc('calendar_feed')).data?.ended

  const firstFeed = await makeStolenFeed()
  await firstFeed.client.auth.signOut({ scope: 'local' })
  const bystander = await signIn()
  await cy.client.rpc('end_session', { p_id: bystander.id })
  expect([await statusOf(firstFeed.address), await endReason()]).toEqual([200, null])
  password = 'a better staple'
  expect((await cy.client.auth.updateUser({ password, current_password: 'correct horse' })).error).toBeNull()
  expect([await statusOf(firstFeed.address), await endReason()]).toEqual([404, 'password'])

  const endings: ((session: { id: string }) => PromiseLike<{ error: unknown }>)[] = [
    () => cy.client.rpc('end_other_sessions'),
    ({ id }) => cy.client.rpc('end_session', { p_id: id }),
    () => cy.client.auth.signOut({ scope: 'others' }),
  ]
  for (const end of endings) {
    const stolenFeed = await makeStolenFeed()
    expect([await statusOf(stolenFeed.address), await endReason()]).toEqual([200, null])
    expect((await end(stolenFeed)).error).toBeNull()
    expect([await statusOf(stolenFeed.address), await endReason()]).toEqual([404, 'sessions'])
  }
  // A feed that Cy creates afterwards is valid.
  expect(await statusOf(await makeFeed(cy))).toBe(200)
})

it('a feed loses the tasks of a brand at once if the person has not opened the brand or was removed from it, or if it demands a second factor; a blocked account has no feed', async () => {
  const address = await makeFeed(bo)
  for (const [brand, title] of [
    [acme, 'Of Acme'],
    [umbra, 'Of Umbra'],
  ] as const)
    await addTask(brand, { title })
  const titlesOfFeed = async () => (await summaries(address)).filter((title) => title.startsWith('Of '))
  expect(await titlesOfFeed()).toEqual(['Of Acme', 'Of Umbra'])
  await query(
    server,
    'update public.memberships set opened_at = null where brand_id = $1 and user_id = $2',
    acme,
    bo.user.id,
  )
  expect(await titlesOfFeed()).toEqual(['Of Umbra'])
  await query(
    server,
    'update public.memberships set opened_at = now() where brand_id = $1 and user_id = $2',
    acme,
    bo.user.id,
  )
  await query(server, 'update public.brands set requires_second_factor = true where id = $1', acme)
  expect(await titlesOfFeed()).toEqual(['Of Umbra'])
  await query(server, 'update public.brands set requires_second_factor = false where id = $1', acme)
  expect(await titlesOfFeed()).toEqual(['Of Acme', 'Of Umbra'])
  await ana.client.from('memberships').delete().eq('brand_id', acme).eq('user_id', bo.user.id)
  expect(await titlesOfFeed()).toEqual(['Of Umbra'])
  await query(server, `update auth.users set banned_until = now() + interval '1 hour' where id = $1`, bo.user.id)
  expect((await requestPath(address)).status).toBe(404)
})

it('too many requests for one feed, or with wrong secrets, get 429; a feed contains at most 1,000 tasks', async () => {
  const address = await makeFeed(ana)
  const statuses = await Promise.all(Array.from({ length: 25 }, async () => (await requestPath(address)).status))
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  await query(
    server,
    `insert into public.tasks (brand_id, title, due_at, assignee_id) select $1, repeat('x', 200), now() + n * interval '1 hour', $2 from generate_series(1, 1001) n`,
    acme,
    ana.user.id,
  )
  const body = await (await requestPath(await makeFeed(ana))).text()
  expect(body.match(/BEGIN:VEVENT/g)).toHaveLength(1000)
  expect(body.length).toBeLessThan(1024 * 1024)
  const requestWrongSecrets = (from: number) =>
    Promise.all(Array.from({ length: 16 }, (_, n) => requestPath(addressOf(`${from + n}${'1'.repeat(62)}`))))
  expect((await requestWrongSecrets(10)).map(({ status }) => status)).not.toContain(429)
  await requestWrongSecrets(30)
  const refusedResponse = await requestPath(addressOf('2'.repeat(64)))
  expect([refusedResponse.status, refusedResponse.headers.get('retry-after')]).toEqual([429, '60'])
})
