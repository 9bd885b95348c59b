import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router'
import { rememberAddress } from '#web/lib/remembered-address.ts'
import { Broken } from '#web/ui/error-boundary.tsx'
import { readActiveBrandId } from './data/active-brand.ts'
import { readSession } from './data/session.ts'
import { AuthPage } from './pages/auth.tsx'
import { NotFoundPage } from './pages/not-found.tsx'

/**
 * The routes of spec section 2. Guards read this device only, never the network. Pages load when they are opened; sign-in, where
 * most first visits end, comes with the first script.
 */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: Broken })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/auth', replace: true })
  },
})

const auth = createRoute({
  getParentRoute: () => root,
  path: '/auth',
  beforeLoad: async () => {
    const session = await readSession()
    if (session && !session.expired) throw redirect({ to: '/select-brand', replace: true })
  },
  component: AuthPage,
})

const selectBrand = createRoute({
  getParentRoute: () => root,
  path: '/select-brand',
  beforeLoad: async () => {
    if (!(await readSession())) throw redirect({ to: '/auth', replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/select-brand.tsx'), 'SelectBrandPage'),
})

const crm = createRoute({
  getParentRoute: () => root,
  path: '/crm',
  beforeLoad: ({ location }) => guardCrm(location),
  component: lazyRouteComponent(() => import('./pages/crm.tsx'), 'CrmLayout'),
})

async function guardCrm(location: ParsedLocation): Promise<void> {
  if (!(await readSession())) {
    rememberAddress(location.href)
    throw redirect({ to: '/auth', replace: true })
  }
  if (!(await readActiveBrandId())) {
    rememberAddress(location.href)
    throw redirect({ to: '/select-brand', replace: true })
  }
}

const crmHome = createRoute({
  getParentRoute: () => crm,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/crm/overview', replace: true })
  },
})

const overview = createRoute({
  getParentRoute: () => crm,
  path: 'overview',
  component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewPage'),
})

const deals = createRoute({
  getParentRoute: () => crm,
  path: 'deals',
  component: lazyRouteComponent(() => import('./pages/deals.tsx'), 'DealsPage'),
})

const contacts = createRoute({
  getParentRoute: () => crm,
  path: 'contacts',
  component: lazyRouteComponent(() => import('./pages/contacts.tsx'), 'ContactsPage'),
})

const importContacts = createRoute({
  getParentRoute: () => crm,
  path: 'import-contacts',
  component: lazyRouteComponent(() => import('./pages/import-contacts.tsx'), 'ImportContactsPage'),
})

const companies = createRoute({
  getParentRoute: () => crm,
  path: 'companies',
  component: lazyRouteComponent(() => import('./pages/companies.tsx'), 'CompaniesPage'),
})

const tasks = createRoute({
  getParentRoute: () => crm,
  path: 'tasks',
  component: lazyRouteComponent(() => import('./pages/tasks.tsx'), 'TasksPage'),
})

const settings = createRoute({
  getParentRoute: () => crm,
  path: 'settings',
  validateSearch: ({ tab }): { tab?: 'brand' | 'security' } => (tab === 'brand' || tab === 'security' ? { tab } : {}),
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
})

const crmPages = [crmHome, overview, deals, contacts, importContacts, companies, tasks, settings]

export const router = createRouter({
  routeTree: root.addChildren([home, auth, selectBrand, crm.addChildren(crmPages)]),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  notFoundMode: 'root',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
