import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** A page that one test after another uses, with its context and its process, whose code is compiled and warm. */
export interface WarmPage {
  context: BrowserContext
  page: Page
  cdp: CDPSession
  viewport: { width: number; height: number } | null
  /** Whether a test did to it what cannot be taken back: then the next test gets a new one. */
  isSpent: boolean
  /** Takes back what a test did. */
  undo: Map<string, () => unknown>
}

/** What stays with a page or its context: a test that calls it was the last one here. */
const spends: Record<'page' | 'context' | 'clock', readonly string[]> = {
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

/** At most this many stay open: the desk, and two sizes or languages of one file. */
const maxOpen = 3

/** The warm pages of one worker: one for each set of options (size, touch, language). */
export class WarmPages {
  readonly #open = new Map<string, WarmPage>()

  /** The page for these options, empty as a new one: without data, cookies, routes, listeners and other pages. */
  async take(browser: Browser, options: unknown): Promise<WarmPage> {
    const key = JSON.stringify(options)
    const warm = this.#open.get(key) ?? (await openPage(browser))
    this.#open.delete(key)
    this.#open.set(key, warm)
    for (const [other, { context }] of [...this.#open].slice(0, -maxOpen)) {
      this.#open.delete(other)
      await context.close()
    }
    return warm
  }

  /** Empties the page after a test; closes it where that is not possible, or `isOver`. */
  async giveBack(warm: WarmPage, blank: string, isOver: boolean): Promise<void> {
    if (!isOver && !warm.isSpent && (await isEmptied(warm, blank))) return
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
  const spend = () => {
    warm.isSpent = true
  }
  for (const name of spends.page) before(page, name, spend)
  for (const name of spends.context) before(context, name, spend)
  for (const name of spends.clock) before(context.clock, name, spend)
  for (const target of [page, context]) {
    const owner = target === page ? 'page' : 'context'
    before(target, 'route', () => undo.set(`${owner} routes`, () => target.unrouteAll({ behavior: 'ignoreErrors' })))
    for (const name of ['on', 'once', 'addListener'])
      before(target, name, (event, listener) =>
        undo.set(`${owner} listener ${undo.size}`, () => Reflect.apply(target.off, target, [event, listener])),
      )
  }
  before(context, 'setOffline', () => undo.set('network', () => context.setOffline(false)))
  before(page, 'setViewportSize', () => undo.set('size', () => warm.viewport && page.setViewportSize(warm.viewport)))
  before(page, 'emulateMedia', () =>
    undo.set('media', () =>
      page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null }),
    ),
  )
  return warm
}

/** Calls `first` before each call of a method. */
function before(target: object, name: string, first: (...args: unknown[]) => unknown): void {
  const method = Reflect.get(target, name)
  if (typeof method !== 'function') throw new Error(`Playwright has no '${name}' any more`)
  Reflect.set(target, name, (...args: unknown[]) => {
    first(...args)
    return Reflect.apply(method, target, args)
  })
}

/** Whether the page is as a new one: at `blank`, a page of the app's origin without the app's code. */
async function isEmptied({ context, page, cdp, undo }: WarmPage, blank: string): Promise<boolean> {
  if (page.isClosed()) return false
  try {
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const takeBack of undo.values()) await takeBack()
    undo.clear()
    await page.mouse.move(-1, -1)
    await page.goto(blank)
    await page.evaluate(() => sessionStorage.clear())
    // All but the files of the app in the browser's cache.
    await cdp.send('Storage.clearDataForOrigin', { origin: new URL(blank).origin, storageTypes: 'all' })
    await cdp.send('Page.resetNavigationHistory')
    return true
  } catch {
    return false
  }
}
