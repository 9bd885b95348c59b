import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** A page that tests use one after another, with its context and its process, in which the app's code is already compiled. */
export interface WarmPage {
  context: BrowserContext
  page: Page
  cdp: CDPSession
  viewport: { width: number; height: number } | null
  /** True if a test changed the page in a way that cannot be undone. Then the next test gets a new page. */
  isSpent: boolean
  /** Functions that undo the changes of a test. */
  undo: Map<string, () => unknown>
}

/** Methods whose effect on a page or its context cannot be undone: no other test uses the page after a call. */
const irreversibleMethods: Record<'page' | 'context' | 'clock', readonly string[]> = {
  page: [
    'addInitScript',
    'addLocatorHandler',
    'exposeFunction',
    'exposeBinding',
    'routeWebSocket',
    'setExtraHTTPHeaders',
  ],
  context: [
    'addInitScript',
    'clearPermissions',
    'exposeFunction',
    'exposeBinding',
    'grantPermissions',
    'newCDPSession',
    'routeWebSocket',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setHTTPCredentials',
    'setStorageState',
  ],
  clock: ['install', 'fastForward', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
}

/** Maximum number of open pages: one for desktop, and two for other sizes or languages of one test file. */
const maxOpen = 3

/** The reused pages of one worker: one for each set of options (size, touch, language). */
export class WarmPages {
  readonly #open = new Map<string, WarmPage>()

  /** Returns the page for these options, as empty as a new one: without data, cookies, routes, listeners and other pages. */
  async take(browser: Browser, options: unknown): Promise<WarmPage> {
    const key = JSON.stringify(options)
    const warm = this.#open.get(key) ?? (await openPage(browser))
    this.#open.delete(key)
    this.#open.set(key, warm)
    for (const [otherKey, { context }] of [...this.#open].slice(0, -maxOpen)) {
      this.#open.delete(otherKey)
      await context.close()
    }
    return warm
  }

  /** Empties the page after a test. Closes the page if it cannot be emptied, or if `mustClose` is true. */
  async giveBack(warm: WarmPage, blank: string, mustClose: boolean): Promise<void> {
    if (!mustClose && !warm.isSpent && (await emptyPage(warm, blank))) return
    for (const [key, open] of this.#open) if (open === warm) this.#open.delete(key)
    await warm.context.close()
  }

  async close(): Promise<void> {
    for (const { context } of this.#open.values()) await context.close()
  }
}

async function openPage(browser: Browser): Promise<WarmPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const warm: WarmPage = { context, page, cdp, viewport: page.viewportSize(), isSpent: false, undo: new Map() }
  const { undo } = warm
  const markSpent = () => {
    warm.isSpent = true
  }
  for (const name of irreversibleMethods.page) callBefore(page, name, markSpent)
  for (const name of irreversibleMethods.context) callBefore(context, name, markSpent)
  for (const name of irreversibleMethods.clock) callBefore(context.clock, name, markSpent)
  for (const target of [page, context]) {
    const owner = target === page ? 'page' : 'context'
    callBefore(target, 'route', () =>
      undo.set(`${owner} routes`, () => target.unrouteAll({ behavior: 'ignoreErrors' })),
    )
    for (const name of ['on', 'once', 'addListener'])
      callBefore(target, name, (event, listener) =>
        undo.set(`${owner} listener ${undo.size}`, () => Reflect.apply(target.off, target, [event, listener])),
      )
  }
  callBefore(context, 'setOffline', () => undo.set('network', () => context.setOffline(false)))
  callBefore(page, 'setViewportSize', () =>
    undo.set('size', () => warm.viewport && page.setViewportSize(warm.viewport)),
  )
  callBefore(page, 'emulateMedia', () =>
    undo.set('media', () =>
      page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null }),
    ),
  )
  return warm
}

/** Changes a method of `target`: each call first calls `callFirst` with the same arguments. */
function callBefore(target: object, name: string, callFirst: (...args: unknown[]) => unknown): void {
  const method = Reflect.get(target, name)
  if (typeof method !== 'function') throw new Error(`Playwright has no '${name}' any more`)
  Reflect.set(target, name, (...args: unknown[]) => {
    callFirst(...args)
    return Reflect.apply(method, target, args)
  })
}

/** Empties the page and opens `blank`, a page of the app's origin without the app's code. Returns false if that fails. */
async function emptyPage({ context, page, cdp, undo }: WarmPage, blank: string): Promise<boolean> {
  if (page.isClosed()) return false
  try {
    for (const otherPage of context.pages()) if (otherPage !== page) await otherPage.close()
    for (const undoChange of undo.values()) await undoChange()
    undo.clear()
    await page.mouse.move(-1, -1)
    await page.goto(blank)
    await page.evaluate(() => sessionStorage.clear())
    // Clears all data of the app's origin. The HTTP cache keeps the files of the app.
    await cdp.send('Storage.clearDataForOrigin', { origin: new URL(blank).origin, storageTypes: 'all' })
    await cdp.send('Page.resetNavigationHistory')
    return true
  } catch {
    return false
  }
}
