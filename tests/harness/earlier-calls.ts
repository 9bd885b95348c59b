import { expect } from 'vitest'
import { dataOf } from './acme.ts'
import type { Journey } from './data-journey.ts'
import { earlierModule, type EarlierRelease } from './earlier-release.ts'

type Call = (...args: never[]) => unknown

interface Client {
  auth: { refreshSession(): Promise<{ error: unknown }> }
}

/**
 * Calls functions of the earlier release's data layer that send other requests than edits and pulls: for lists of windowed tables, members,
 * invitations, the brand, sessions and the account. `folder`: where the release is checked out.
 */
export async function callEverything(release: EarlierRelease, folder: string, { tab }: Journey): Promise<void> {
  const call = async (path: string, name: string, ...args: unknown[]) => {
    const module = await earlierModule<Record<string, Call>>(folder, `src/web/data/${path}.ts`)
    const calledFunction = module[name] ?? expect.fail(`${path}.ts has no ${name}`)
    return calledFunction(...(args as never[]))
  }
  const expectSaved = async (...[path, name, ...args]: Parameters<typeof call>) =>
    expect(await call(path, name, ...args)).toMatchObject({ status: 'saved' })
  await callLists(release, call, tab)
  await expectSaved('people/members', 'addMember', 'bo@acme.test', 'member')
  // A server that sends no mail refuses an invitation.
  await call('people/invitations', 'inviteMember', 'new@acme.test', 'member')
  await call('people/members', 'reloadMembers')
  await expectSaved('people/change-members', 'renameMyself', 'Ana Acme')
  await expectSaved('people/change-brand', 'renameBrand', 'Acme Ltd')
  await expectSaved('session/my-sessions', 'endOtherSessions')
  const { userId } = dataOf(tab)
  const functions = ['capabilities', 'unopened_brands', 'accept_invitations', 'brands_behind_second_factor']
  for (const name of [...functions, 'my_sessions']) await call('server/rpc', 'rpc', userId, name, {})
  const { brandId } = dataOf(tab)
  await call('server/rpc', 'rpc', userId, 'audit_log', { p_brand_id: brandId })
  expect(await call('session/account', 'exportMyData')).toContain('Walls and floor')
  const client = (await call('server/load-client', 'loadClient')) as Client
  expect((await client.auth.refreshSession()).error).toBeNull()
  expect(await call('session/account', 'proveAgain', 'correct horse')).toMatchObject({ ok: true })
  expect(
    await call('session/account', 'changePassword', { password: 'correct horse' }, 'correct horse two'),
  ).toMatchObject({ ok: true })
  expect(await call('session/account', 'deleteMyAccount')).toMatchObject({ ok: false, message: 'LAST_OWNER' })
}

/** Requests lists, searches, counts and sums, as a device with windowed tables does. */
async function callLists({ usesReadQueries }: EarlierRelease, call: CallOf, tab: Journey['tab']): Promise<void> {
  const data = dataOf(tab)
  const { userId, brandId, state } = data
  const { signal } = new AbortController()
  if (usesReadQueries) {
    const page = { limit: 20, count: true }
    const queries = [
      { table: 'deals', search: 'o', order: 'newest', ...page },
      { table: 'deals', where: { owner_id: userId }, order: 'name', sums: true, ...page },
      { table: 'contacts', search: 'zoe', order: 'name', ...page },
      { table: 'companies', order: 'name', ...page },
      { table: 'tasks', where: { status: 'open' }, rows: false, count: true },
    ]
    const { answers } = (await call('server/read-queries', 'readQueries', data, queries, signal)) as {
      answers: { total: number }[]
    }
    expect(answers.map(({ total }) => total)).toEqual([5, 5, 1, 2, 0])
    return
  }
  const knownState = state.get()
  for (const isMine of [false, true]) {
    state.set({ ...state.get(), tables: {} })
    await call('server-figures', 'askBoard', data, isMine)
  }
  state.set({ ...state.get(), tables: {} })
  await call('server-figures', 'askDashboard', data)
  expect(state.get()).toMatchObject({
    board: { totals: expect.arrayContaining([expect.objectContaining({ currency: 'GBP' })]) },
    boardOfMine: { totals: expect.any(Array) },
    dashboard: { figures: { contacts: 2, companies: 2 } },
  })
  state.set({ ...state.get(), tables: knownState.tables })
  const page = { offset: 0, limit: 20, signal }
  const searchPage = async (table: string, values: object) =>
    (await call('query/server-search', 'searchPage', { userId, brandId }, table, { ...page, ...values })) as {
      total: number
    }
  expect((await searchPage('deals', { text: 'o' })).total).toBe(5)
  expect((await searchPage('deals', { text: '', owner: userId })).total).toBe(5)
  expect((await searchPage('contacts', { text: 'zoe', sort: 'name' })).total).toBe(1)
  expect((await searchPage('companies', { text: '' })).total).toBe(2)
  const order = [{ column: 'created_at', ascending: false }]
  const rows = await call('server/rest-page', 'readPage', { userId, brandId, table: 'deals', order, ...page })
  expect(rows).toMatchObject({ total: 7 })
}

type CallOf = (path: string, name: string, ...args: unknown[]) => Promise<unknown>
