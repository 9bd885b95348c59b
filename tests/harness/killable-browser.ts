import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BrowserContext, chromium } from '@playwright/test'
import config from '../../playwright.config.ts'

/** A Chromium that a test can kill. */
export interface KillableBrowser {
  context: BrowserContext
  /** Sends SIGKILL to every process of the browser, like a power failure. */
  kill(): Promise<void>
}

/**
 * Opens Chromium with a profile directory, in its own process group, so that a test can kill it and open the profile again.
 */
export async function openKillableBrowser(profile: string): Promise<KillableBrowser> {
  const { executablePath = 'chromium', args = [] } = config.use?.launchOptions ?? {}
  const flags = [
    ...args,
    '--headless',
    '--window-size=1440,900',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    'about:blank',
  ]
  const child = spawn(executablePath, flags, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const browser = await chromium.connectOverCDP(await devtoolsUrl(child))
  const [context] = browser.contexts()
  if (!context) throw new Error('Chromium opened no window')
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
      await exited
    }
    await browser.close().catch(() => {})
  }
  return { context, kill }
}

function devtoolsUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const url = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.once('exit', () => reject(new Error(`Chromium ended: ${output}`)))
  })
}
