import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** Shifts the clock of all pages that this context opens from now on. `by`: milliseconds, negative for the past. */
export async function shiftClock(context: BrowserContext, by: number): Promise<void> {
  await context.addInitScript((offset) => {
    const pageGlobals = globalThis as unknown as { clockOffsetMs: number }
    const RealDate = Date
    const realNow = RealDate.now
    pageGlobals.clockOffsetMs = offset
    const now = () => realNow() + pageGlobals.clockOffsetMs
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, parts, newTarget) =>
        Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget) as object,
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    })
  }, by)
}

/** Moves a page's clock forward by `by` milliseconds, as when a laptop wakes up. Call `shiftClock` for its context before the page is opened. */
export async function moveClockForward(page: Page, by: number): Promise<void> {
  await page.evaluate((more) => {
    const pageGlobals = globalThis as unknown as { clockOffsetMs: number }
    pageGlobals.clockOffsetMs += more
  }, by)
}

/**
 * Starts a server in its own process. `leapForward()` moves the server's clock forward by `by` milliseconds, and leaves the clock of its
 * database as it is.
 */
export async function startServerWithMovableClock(
  options: TestServerOptions,
  by: number,
): Promise<TestServer & { leapForward: () => Promise<void> }> {
  const file = join(await mkdtemp(join(tmpdir(), 'banyan-clock-')), 'clock.mjs')
  await writeFile(file, clockModule(by))
  const NODE_OPTIONS = `--import=${pathToFileURL(file).href}`
  const server = await startTestServer({ ...options, run: 'process', env: { ...options.env, NODE_OPTIONS } })
  const leapForward = async () => {
    const moved = new Promise<void>((resolve) => {
      server.child?.stdout?.on('data', (text: Buffer) => text.includes('the clock moved forward') && resolve())
    })
    server.child?.kill('SIGUSR2')
    await moved
  }
  return { ...server, leapForward }
}

function clockModule(by: number): string {
  return `
    const RealDate = Date
    let offsetMs = 0
    const now = () => RealDate.now() + offsetMs
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, parts, newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    })
    process.on('SIGUSR2', () => { offsetMs += ${by}; console.log('the clock moved forward') })
  `
}
