import type { ShownPart } from '#web/crm/list-part.tsx'
import type { NounScreens } from '#web/crm/noun-screens.ts'
import type { Device } from '#web/data/browser/device.ts'
import { type ListSearch, parseListSearch } from '#web/lib/list-search.ts'
import type { MailedLink } from '#web/lib/mailed-link.ts'
import { AppRouter } from '#web/lib/routing/app-router.ts'
import type { Routes } from '#web/lib/routing/load-page.ts'
import type { Route } from '#web/lib/routing/match-route.ts'
import type { PageLocation } from '#web/lib/routing/page-location.ts'
import { ScrollMemory } from '#web/lib/routing/scroll-memory.ts'
import {
  guardAuth,
  guardBrands,
  guardCode,
  guardCrm,
  guardId,
  guardLink,
  guardMail,
  guardReset,
  guardSignedIn,
  redirectTo,
} from './pages/guards.ts'
import { type NounTable, nouns } from './pages/nouns.ts'
import { type SettingsSearch, parseSettingsSearch } from './pages/settings-search.ts'

/** Creates the router for the screens of a device. */
export function createAppRouter(device: Device): AppRouter {
  return new AppRouter(routesOf(device), {
    write: (change) => (window.backLayers ? window.backLayers.write(change) : change()),
    // A list keeps its scroll position when a record's panel opens beside it: /crm/deals and /crm/deals/ID are one page.
    scroll: new ScrollMemory((pathname) => pathname.split('/', 3).join('/'), '#main'),
  })
}

/** Returns the routes of spec section 2. Pages are loaded when they are opened. */
function routesOf(device: Device): Routes {
  return {
    pages: [
      { path: '/', guard: () => redirectTo('/auth') },
      ...authRoutes(device),
      {
        path: '/select-brand',
        guard: () => guardBrands(device),
        page: async () => (await import('./pages/select-brand.tsx')).SelectBrandPage,
      },
      {
        path: '/account',
        guard: () => guardSignedIn(device),
        page: async () => (await import('./pages/account.tsx')).AccountPage,
      },
      {
        path: '/crm',
        guard: (location) => guardCrm(device, location),
        load: async ({ pathname }) =>
          (await import('#web/data/engine.ts')).untilRowsRead(device, listTableOf(pathname)),
        page: async () => (await import('./pages/crm.tsx')).CrmFrame,
        children: crmRoutes,
      },
      ...developmentRoutes,
    ],
    notFound: { path: '', page: async () => (await import('./pages/not-found.tsx')).NotFoundPage },
  }
}

/** Returns the table of the list at this path: contacts or companies. Undefined for other paths, such as the board. */
function listTableOf(pathname: string): string | undefined {
  return /^\/crm\/(contacts|companies)$/.exec(pathname)?.[1]
}

function authRoutes(device: Device): readonly Route[] {
  return [
    {
      path: '/auth',
      guard: () => guardAuth(device),
      page: async () => (await import('./pages/auth.tsx')).AuthPage,
    },
    {
      path: '/auth/code',
      guard: () => guardCode(device),
      page: async () => (await import('./pages/auth-code.tsx')).AuthCodePage,
    },
    { path: '/auth/forgot', page: async () => (await import('./pages/auth-forgot.tsx')).AuthForgotPage },
    { path: '/auth/mail', guard: guardMail, page: async () => (await import('./pages/auth-mail.tsx')).AuthMailPage },
    {
      path: '/auth/confirm',
      guard: guardLink,
      page: async () => (await import('./pages/auth-confirm.tsx')).AuthConfirmPage,
    },
    {
      path: '/auth/reset',
      guard: () => guardReset(device),
      page: async () => (await import('./pages/auth-reset.tsx')).AuthResetPage,
    },
  ]
}

const crmRoutes: readonly Route[] = [
  { path: '/crm', guard: () => redirectTo('/crm/overview') },
  { path: '/crm/overview', page: async () => (await import('./pages/overview.tsx')).OverviewPage },
  listRoute('deals', {
    Page: async () => (await import('./pages/deals.tsx')).DealsPage,
    RecordPage: async () => (await import('./pages/deal.tsx')).DealPage,
  }),
  listRoute('contacts', {
    Page: async () => (await import('./pages/contacts.tsx')).ContactsPage,
    RecordPage: async () => (await import('./pages/contact.tsx')).ContactPage,
  }),
  { path: '/crm/import-contacts', page: async () => (await import('./pages/import-contacts.tsx')).ImportContactsPage },
  listRoute('companies', {
    Page: async () => (await import('./pages/companies.tsx')).CompaniesPage,
    RecordPage: async () => (await import('./pages/company.tsx')).CompanyPage,
  }),
  ...nouns.map(([noun, screens]) => listRoute(noun, screens)),
  {
    path: '/crm/settings',
    search: parseSettingsSearch,
    page: async () => (await import('./pages/settings.tsx')).SettingsPage,
  },
]

/** The page of the design system. It is not in a build. */
const developmentRoutes: readonly Route[] = import.meta.env.DEV
  ? [{ path: '/ui', page: async () => (await import('./pages/ui.tsx')).UiPage }]
  : []

/** Returns the route of a list at /crm/LIST, with one of its records at /crm/LIST/ID beside the list. */
function listRoute(list: string, { Page, RecordPage }: Pick<NounScreens, 'Page' | 'RecordPage'>): Route {
  const shownPartOf = ({ search }: PageLocation) => parseListSearch(search).show
  return {
    path: `/crm/${list}`,
    search: parseListSearch,
    loadsFor: shownPartOf,
    load: async (location) => {
      const show = shownPartOf(location)
      return show ? { part: (await import('./crm/list-part.tsx')).partOf(list, show) } : {}
    },
    page: Page,
    children: [{ path: `/crm/${list}/$id`, guard: (_, { id = '' }) => guardId(id), page: RecordPage }],
  }
}

type ListName = 'deals' | 'contacts' | 'companies' | NounTable

declare module '#web/lib/routing/declared-pages.ts' {
  interface Pages
    extends Record<'/' | '/select-brand' | '/account' | '/crm/overview' | '/crm/import-contacts', object>,
      Record<'/auth' | `/auth/${'code' | 'forgot' | 'mail' | 'confirm' | 'reset'}`, object>,
      Record<`/crm/${ListName}`, ListSearch>,
      Record<'/crm/settings', SettingsSearch> {}
  interface PageState {
    /** The parameters of a link in an email. */
    link?: MailedLink
    /** For /auth/mail: the recipient of the email that was sent, and the purpose of the email. */
    email?: string
    mail?: 'signup' | 'recovery'
    /** For /auth/mail: true if the email was requested again. */
    again?: boolean
    /** True if an invited person chooses the first password. */
    first?: boolean
    /** For /select-brand: true if the person comes from their only brand, which must not open again by itself. */
    switched?: boolean | undefined
    /** True if the panel was opened over its list, so that one step back closes it. */
    overList?: boolean | undefined
  }
  interface PageData {
    /** The part of a list that its URL names. */
    part?: ShownPart
  }
}
