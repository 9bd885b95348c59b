import { expect, test } from 'vitest'
import { matchRoute, type Route } from './match-route.ts'

const routes: readonly Route[] = [
  { path: '/' },
  { path: '/auth' },
  { path: '/auth/code' },
  {
    path: '/crm',
    children: [
      { path: '/crm' },
      { path: '/crm/overview' },
      { path: '/crm/deals', children: [{ path: '/crm/deals/$id' }] },
    ],
  },
]

test.each([
  ['/', ['/'], {}],
  ['/auth', ['/auth'], {}],
  ['/auth/', ['/auth'], {}],
  ['/Auth', ['/auth'], {}],
  ['/auth/code', ['/auth/code'], {}],
  ['/crm', ['/crm', '/crm'], {}],
  ['/crm/overview', ['/crm', '/crm/overview'], {}],
  ['/crm/deals', ['/crm', '/crm/deals'], {}],
  ['/crm/deals/', ['/crm', '/crm/deals'], {}],
  ['/crm/deals/42', ['/crm', '/crm/deals', '/crm/deals/$id'], { id: '42' }],
  ['/CRM/Deals/Ab', ['/crm', '/crm/deals', '/crm/deals/$id'], { id: 'Ab' }],
])('a path is matched with its route: %s', (pathname, chain, params) => {
  const match = matchRoute(routes, pathname)
  expect(match?.chain.map(({ path }) => path)).toEqual(chain)
  expect(match?.params).toEqual(params)
})

test.each(['/auth/other', '/crm/nothing', '/crm/deals/42/notes', '/crm//deals', '/crmdeals', '/no/such/page', 'auth'])(
  'the path %s has no page',
  (pathname) => {
    expect(matchRoute(routes, pathname)).toBeNull()
  },
)
