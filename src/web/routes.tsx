import type { Device } from '#web/data/browser/device.ts'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  type ParsedLocation,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { listSearch } from '#web/lib/list-search.ts'
import { type MailedLink, mailedLinkOf, takeKeptLink } from '#web/lib/mailed-link.ts'
import { rememberAddress, takeRememberedAddress } from '#web/lib/remembered-address.ts'
import { Broken } from '#web/ui/error-boundary.tsx'
import { readActiveBrandId } from '#web/data/people/active-brand.ts'
import { mayEnter, readSession } from '#web/data/session/session.ts'
import { nouns } from './pages/nouns.ts'

/**
 * The routes of spec section 2. Guards read this device only, never the network. Pages load when they are opened.
 */
const root = createRootRouteWithContext<{ device: Device }>()({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found.tsx'), 'NotFoundPage'),
  errorComponent: Broken,
})

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
  beforeLoad: async ({ context: { device } }) => {
    const session = await readSession(device)
    if (session?.needsCode) throw redirect({ to: '/auth/code', replace: true })
    if (mayEnter(session)) throw redirect({ to: '/select-brand', replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/auth.tsx'), 'AuthPage'),
})

const authCode = createRoute({
  getParentRoute: () => root,
  path: '/auth/code',
  beforeLoad: async ({ context: { device } }) => {
    const session = await readSession(device)
    if (!session?.needsCode) throw redirect({ to: session ? '/select-brand' : '/auth', replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/auth-code.tsx'), 'AuthCodePage'),
})

const authForgot = createRoute({
  getParentRoute: () => root,
  path: '/auth/forgot',
  component: lazyRouteComponent(() => import('./pages/auth-forgot.tsx'), 'AuthForgotPage'),
})

const authMail = createRoute({
  getParentRoute: () => root,
  path: '/auth/mail',
  // Kept by the history entry, so that a reload knows it too.
  beforeLoad: ({ location }) => {
    const { email, mail } = location.state
    if (!email || !mail) throw redirect({ to: '/auth', replace: true })
    return { email, mail }
  },
  component: lazyRouteComponent(() => import('./pages/auth-mail.tsx'), 'AuthMailPage'),
})

const authConfirm = createRoute({
  getParentRoute: () => root,
  path: '/auth/confirm',
  // Out of the address and the browser's history at once; kept by the history entry, so that a reload knows it too.
  beforeLoad: ({ location }) => {
    const link = mailedLinkOf(location.href)
    if (link) throw redirect({ to: '/auth/confirm', replace: true, state: { link } })
  },
  component: lazyRouteComponent(() => import('./pages/auth-confirm.tsx'), 'AuthConfirmPage'),
})

const authReset = createRoute({
  getParentRoute: () => root,
  path: '/auth/reset',
  beforeLoad: async ({ context: { device } }) => {
    if (!(await readSession(device))) throw redirect({ to: '/auth', replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/auth-reset.tsx'), 'AuthResetPage'),
})

const selectBrand = createRoute({
  getParentRoute: () => root,
  path: '/select-brand',
  beforeLoad: async ({ context: { device }, preload }) => {
    await assertSignedIn(device)
    const link = preload ? null : takeKeptLink()
    if (link) throw redirect({ to: '/auth/confirm', replace: true, state: { link } })
    if (preload || !(await readActiveBrandId(device))) return
    // Whose session had ended comes back to the brand and the place where they were.
    const address = takeRememberedAddress()
    if (address) throw redirect({ href: address, replace: true })
  },
  component: lazyRouteComponent(() => import('./pages/select-brand.tsx'), 'SelectBrandPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: ({ context: { device } }) => assertSignedIn(device),
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
})

const crm = createRoute({
  getParentRoute: () => root,
  path: '/crm',
  beforeLoad: ({ context: { device }, location }) => guardCrm(device, location),
  loader: async ({ context: { device } }) => (await import('#web/data/engine.ts')).untilRowsRead(device),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./pages/crm.tsx'), 'CrmLayout'),
})

async function assertSignedIn(device: Device): Promise<void> {
  const session = await readSession(device)
  if (session?.needsCode) throw redirect({ to: '/auth/code', replace: true })
  if (!mayEnter(session)) throw redirect({ to: '/auth', replace: true })
}

async function guardCrm(device: Device, location: ParsedLocation): Promise<void> {
  const session = await readSession(device)
  if (!mayEnter(session)) rememberAddress(location.href)
  await assertSignedIn(device)
  if (!(await readActiveBrandId(device))) {
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

/** An id that no record can have is no address of ours: the 404 page. */
function refuseOtherPath(id: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw notFound()
}

/** A list at /crm/PATH, and one of its records, /crm/PATH/ID, beside the list. */
function recordRoutes<const Path extends string>(path: Path, Page: RouteComponent, RecordPage: RouteComponent) {
  const list = createRoute({
    getParentRoute: () => crm,
    path,
    validateSearch: listSearch,
    loaderDeps: ({ search: { show } }) => ({ show }),
    loader: ({ deps: { show } }) =>
      show ? import('./crm/list-part.tsx').then(({ partOf }) => partOf(path, show)) : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    component: Page,
  })
  const record = createRoute({
    getParentRoute: () => list,
    path: '$id',
    beforeLoad: ({ params }) => refuseOtherPath('id' in params ? params.id : ''),
    component: RecordPage,
  })
  return list.addChildren([record])
}

const deals = recordRoutes(
  'deals',
  lazyRouteComponent(() => import('./pages/deals.tsx'), 'DealsPage'),
  lazyRouteComponent(() => import('./pages/deal.tsx'), 'DealPage'),
)

const contacts = recordRoutes(
  'contacts',
  lazyRouteComponent(() => import('./pages/contacts.tsx'), 'ContactsPage'),
  lazyRouteComponent(() => import('./pages/contact.tsx'), 'ContactPage'),
)

const companies = recordRoutes(
  'companies',
  lazyRouteComponent(() => import('./pages/companies.tsx'), 'CompaniesPage'),
  lazyRouteComponent(() => import('./pages/company.tsx'), 'CompanyPage'),
)

const importContacts = createRoute({
  getParentRoute: () => crm,
  path: 'import-contacts',
  component: lazyRouteComponent(() => import('./pages/import-contacts.tsx'), 'ImportContactsPage'),
})

const nounRoutes = nouns.map(([noun, { Page, RecordPage }]) => recordRoutes(noun, Page, RecordPage))

const settingsTabs = ['fields', 'notifications', 'security', 'brand'] as const
type SettingsTab = (typeof settingsTabs)[number]

const settings = createRoute({
  getParentRoute: () => crm,
  path: 'settings',
  validateSearch: ({ tab }): { tab?: SettingsTab } => ({
    tab: settingsTabs.find((each) => each === tab),
  }),
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
})

/** The design system; a build does not have it. */
const development = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/ui',
        component: lazyRouteComponent(() => import('./pages/ui.tsx'), 'UiPage'),
      }),
    ]
  : []

const crmPages = [crmHome, overview, deals, contacts, importContacts, companies, ...nounRoutes, settings]

const authPages = [auth, authCode, authForgot, authMail, authConfirm, authReset]

/** The router of a device's screens. */
export function createAppRouter(device: Device) {
  let lastPage = ''

  /** Another page begins at its top, or where it was left; opening and closing a panel leaves its list as it stands. */
  const isOtherPage = ({ location }: { location: ParsedLocation }): boolean => {
    const page = location.pathname.split('/').slice(0, 3).join('/')
    const isOther = page !== lastPage
    lastPage = page
    return isOther
  }

  return createRouter({
    context: { device },
    routeTree: root.addChildren([home, ...authPages, selectBrand, account, crm.addChildren(crmPages), ...development]),
    defaultPreload: 'intent',
    defaultErrorComponent: Broken,
    notFoundMode: 'root',
    scrollRestoration: isOtherPage,
    scrollToTopSelectors: ['#main'],
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  /**
   * Kept with an entry of the history, not in its address: whom a mail went to and why; what the link of a mail carries; that an invited
   * person chooses a password.
   */
  interface HistoryState {
    link?: MailedLink
    email?: string
    mail?: 'signup' | 'recovery'
    first?: boolean
    /** To /select-brand by 'Switch Brand', from inside a brand. */
    switched?: boolean | undefined
    /** The panel was opened over its list: one step back closes it. */
    overList?: boolean | undefined
  }
}
