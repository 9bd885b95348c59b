import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#server/db/project-root.ts'
import type { FakeBrowser, Tab } from './fake-browser.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** An earlier release of the app. People may still have it open, and operators may go back to it. */
export interface EarlierRelease {
  /** The name of its file in tests/fixtures/earlier-clients. */
  name: string
  commit: string
  /** True if its lists call `read_queries`; false if they call `board`, `dashboard` and the `search_` functions. */
  usesReadQueries: boolean
}

/**
 * The earlier releases with which the current release must work.
 * - before-0.1.0: the last commit before lists called `read_queries`. It has 39 migrations, which 20 others have replaced (docs/decisions/042).
 * - 0.1.0: two commits after the commit that wrote the changelog of 0.1.0. Without these two commits, every call of `read_queries` failed because
 *   of an error in a migration.
 */
export const earlierReleases: readonly EarlierRelease[] = [
  { name: 'before-0.1.0', commit: '82e9bf9dc894251550bd2cdbe226fd57884fa5dc', usesReadQueries: false },
  { name: '0.1.0', commit: '59451c8e00d69138ac9dbf6f91ecddf606247c53', usesReadQueries: true },
]

/**
 * Checks the files of a release out to a folder inside this project, so that they find the project's packages, and returns the folder. Throws if
 * the clone lacks the commit: without the release, the test would prove nothing.
 */
export function checkOutRelease({ name, commit }: EarlierRelease): string {
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
  const draftFolder = mkdtempSync(join(parent, 'draft-'))
  execFileSync('tar', ['-x', '-C', draftFolder], { input: archive })
  renameSync(draftFolder, folder)
  return folder
}

/** A tab of an earlier release: observables, and functions without a device parameter. */
type EarlierTab = Record<string, unknown>

/** Opens the data layer of an earlier release in a fake browser. `adaptTab` gives its tabs the interface of the current data layer. */
export async function earlierBrowser(folder: string, server: TestServer): Promise<FakeBrowser> {
  interface EarlierBrowser extends Omit<FakeBrowser, 'openTab'> {
    openTab(): Promise<EarlierTab>
  }
  const { fakeBrowser } = await earlierModule<{ fakeBrowser: (of: TestServer) => EarlierBrowser }>(
    folder,
    'tests/harness/fake-browser.ts',
  )
  const browser = fakeBrowser(server)
  return { ...browser, openTab: async () => adaptTab(await browser.openTab()) }
}

/**
 * Adapts a tab to the interface of the current data layer. Both earlier releases keep the state of a tab in their modules: their functions have no
 * device parameter, and they export each observable itself. In the current data layer a function returns the observable of a device.
 */
function adaptTab(tab: EarlierTab): Tab {
  const device = {}
  const adaptValue = (value: unknown) => {
    if (typeof value !== 'function') return value && typeof value === 'object' ? () => value : value
    return (...given: unknown[]): unknown => value(...(given[0] === device ? given.slice(1) : given))
  }
  return Object.assign(
    { device },
    Object.fromEntries(Object.entries(tab).map(([name, value]) => [name, adaptValue(value)])),
  ) as unknown as Tab
}

/** Imports a module of the earlier release. The module holds the state of the tab that was opened last. */
export async function earlierModule<Module>(folder: string, path: string): Promise<Module> {
  return (await import(/* @vite-ignore */ join(folder, path))) as Module
}

/** Starts the server of an earlier release, on an empty database or on a database that this release has migrated before. */
export function startEarlierServer(
  folder: string,
  options: Pick<TestServerOptions, 'databaseUrl' | 'dataDir' | 'env'>,
): Promise<TestServer> {
  return startTestServer({ ...options, run: 'process', checkout: folder })
}
