import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#server/db/project-root.ts'
import type { FakeBrowser, Tab } from './fake-browser.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** A state of the app that people may still have open, or may go back to. */
export interface EarlierRelease {
  /** The name of its record in tests/fixtures/earlier-clients. */
  name: string
  commit: string
  /** Whether its lists ask `read_queries`; else `board`, `dashboard` and the `search_` functions. */
  asksQueries: boolean
}

/**
 * The last commit before lists were answered by `read_queries`, with the 39 migrations that the chapters have replaced; and 0.1.0, two
 * commits after its changelog: there the migration of `read_queries` was mended, before which every call of it failed.
 */
export const earlierReleases: readonly EarlierRelease[] = [
  { name: 'before-0.1.0', commit: '82e9bf9dc894251550bd2cdbe226fd57884fa5dc', asksQueries: false },
  { name: '0.1.0', commit: '59451c8e00d69138ac9dbf6f91ecddf606247c53', asksQueries: true },
]

/**
 * The folder of a release's files, below this project, whose packages it uses. Throws where the clone is without that commit: a test
 * without it would prove nothing.
 */
export function checkOut({ name, commit }: EarlierRelease): string {
  const root = projectRoot()
  const parent = join(root, '.cache/earlier')
  const folder = join(parent, commit)
  if (existsSync(folder)) return folder
  let archive: Buffer
  try {
    archive = execFileSync('git', ['archive', commit], {
      cwd: root,
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    throw new Error(`Commit ${commit} (${name}) is not in this clone. Fetch the whole history: git fetch --unshallow`, {
      cause: error,
    })
  }
  mkdirSync(parent, { recursive: true })
  const draft = mkdtempSync(join(parent, 'draft-'))
  execFileSync('tar', ['-x', '-C', draft], { input: archive })
  renameSync(draft, folder)
  return folder
}

/** What an earlier release's tab has: stores, and functions that know of no device. */
type EarlierTab = Record<string, unknown>

/** The data layer of that release in a fake browser. Its tabs are called like today's, and have further functions. */
export async function earlierBrowser(folder: string, server: TestServer): Promise<FakeBrowser> {
  interface EarlierBrowser extends Omit<FakeBrowser, 'openTab'> {
    openTab(): Promise<EarlierTab>
  }
  const { fakeBrowser } = await earlierModule<{ fakeBrowser: (of: TestServer) => EarlierBrowser }>(
    folder,
    'tests/harness/fake-browser.ts',
  )
  const browser = fakeBrowser(server)
  return { ...browser, openTab: async () => likeToday(await browser.openTab()) }
}

/** Both releases keep what a tab knows in modules: functions are called without the device, and a store is the store of the one device. */
function likeToday(tab: EarlierTab): Tab {
  const device = {}
  const adapted = (value: unknown) => {
    if (typeof value !== 'function') return value && typeof value === 'object' ? () => value : value
    return (...given: unknown[]): unknown => value(...(given[0] === device ? given.slice(1) : given))
  }
  return Object.assign(
    { device },
    Object.fromEntries(Object.entries(tab).map(([name, value]) => [name, adapted(value)])),
  ) as unknown as Tab
}

/** A module of that release, as the tab that was opened last has it. */
export async function earlierModule<Module>(folder: string, path: string): Promise<Module> {
  return (await import(/* @vite-ignore */ join(folder, path))) as Module
}

/** The server of that release, over a database that it fills or finds. */
export function startEarlierServer(
  folder: string,
  options: Pick<TestServerOptions, 'databaseUrl' | 'dataDir' | 'env'>,
): Promise<TestServer> {
  return startTestServer({ ...options, run: 'process', checkout: folder })
}
