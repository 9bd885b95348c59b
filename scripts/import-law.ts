/**
 * The import law: which layer may import which. Writes it as Biome rules into `import-law.json`, which `biome.json`
 * extends; `--check` fails if that file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file or folder of `src`, and what it may import besides itself and packages. */
interface Room {
  /** Its path in `src`. */
  path: string
  /** Paths of the layers that it may import; a folder includes all files in it. Every layer may import `src/shared`. */
  standsOn: readonly string[]
  /** The linter's message for an import of another layer on the same side. */
  because: string
  /** The folder has subfolders, whose files may import from one folder above. */
  isDeep?: boolean
  /** Its parts must not import each other, not even by their full name. */
  isApart?: boolean
}

/** From the lowest layer to the highest, for each side. */
const layersOfSide: Record<'server' | 'web', readonly Room[]> = {
  server: [
    { path: 'http', standsOn: [], because: 'http is the lowest floor of the server: it stands on src/shared only.' },
    { path: 'db', standsOn: [], because: 'db is the lowest floor of the server: it stands on src/shared only.' },
    { path: 'auth', standsOn: ['http', 'db'], because: 'src/server/auth stands on http and db only.', isDeep: true },
    { path: 'rest', standsOn: ['http', 'db'], because: 'src/server/rest stands on http and db only.', isDeep: true },
    {
      path: 'realtime',
      standsOn: ['http', 'db'],
      because: 'src/server/realtime stands on http and db only.',
      isDeep: true,
    },
    { path: 'push', standsOn: ['http', 'db'], because: 'src/server/push stands on http and db only.', isDeep: true },
    {
      path: 'calendar',
      standsOn: ['http', 'db'],
      because: 'src/server/calendar stands on http and db only.',
      isDeep: true,
    },
    { path: '*.ts', standsOn: ['http', 'db', 'auth', 'rest', 'realtime', 'push', 'calendar'], because: '' },
  ],
  web: [
    { path: 'lib', standsOn: [], because: 'lib stands on src/shared only.', isApart: true },
    { path: 'ui', standsOn: ['lib'], because: 'ui knows no product noun: it stands on lib only.' },
    // Where data comes from: one door a noun above, the wire at the bottom.
    { path: 'data/browser', standsOn: ['lib'], because: 'data/browser stands on lib only.' },
    { path: 'data/server', standsOn: ['lib', 'data/browser'], because: 'data/server stands on lib and browser only.' },
    {
      path: 'data/session',
      standsOn: ['lib', 'data/browser', 'data/server'],
      because: 'data/session stands on lib, browser and server only.',
    },
    {
      path: 'data/store',
      standsOn: ['lib', 'data/browser', 'data/server', 'data/session'],
      because: 'data/store stands on lib, browser, server and session only.',
    },
    {
      path: 'data/changes',
      standsOn: ['lib', 'data/browser', 'data/server', 'data/session', 'data/store'],
      because: 'data/changes stands on lib, browser, server, session and store only.',
    },
    {
      path: 'data/sync',
      standsOn: ['lib', 'data/browser', 'data/server', 'data/session', 'data/store', 'data/changes'],
      because: 'data/sync stands on lib, browser, server, session, store and changes only.',
    },
    {
      path: 'data/query',
      standsOn: ['lib', 'data/browser', 'data/server', 'data/session', 'data/store', 'data/changes', 'data/sync'],
      because: 'data/query stands on lib, browser, server, session, store, changes and sync only.',
    },
    {
      path: 'data/people',
      standsOn: [
        'lib',
        'data/browser',
        'data/server',
        'data/session',
        'data/store',
        'data/changes',
        'data/sync',
        'data/query',
      ],
      because: 'data/people stands on lib, browser, server, session, store, changes, sync and query only.',
    },
    {
      path: 'data/*.ts',
      standsOn: [
        'lib',
        'data/browser',
        'data/server',
        'data/session',
        'data/store',
        'data/changes',
        'data/sync',
        'data/query',
        'data/people',
      ],
      because: 'data stands on shared and lib only.',
    },
    {
      path: 'crm',
      standsOn: ['lib', 'ui', 'data'],
      because: 'crm knows what all features share of records: it stands on lib, ui and data only.',
    },
    {
      path: 'features/*/*',
      standsOn: ['lib', 'ui', 'data', 'crm'],
      because: 'A feature never imports a page or a feature; its own files by a relative path.',
      isApart: true,
    },
    {
      path: 'features/*/*/**',
      standsOn: ['lib', 'ui', 'data', 'crm'],
      because: 'A feature never imports a page or a feature; its own files by a relative path.',
      isApart: true,
      isDeep: true,
    },
    {
      path: 'pages',
      standsOn: ['lib', 'ui', 'data', 'crm', 'features'],
      because: 'A page is composed by routes, never the other way round.',
    },
    {
      path: 'routes.tsx',
      standsOn: ['lib', 'ui', 'data', 'crm', 'features', 'pages'],
      because: 'main stands above routes.',
    },
    { path: 'main.tsx', standsOn: ['lib', 'ui', 'data', 'crm', 'features', 'pages', 'routes.tsx'], because: '' },
  ],
}

/** The name of each side in imports, and the message for an import of the other side. */
const otherSide = {
  server: { group: ['#web/**'], message: "The server never imports the browser's code." },
  web: { group: ['#server/**'], message: 'The browser and the server share src/shared only.' },
}
/** The layers of each side as an import names them. */
const importPatterns = {
  server: ['app.ts', 'main.ts', 'http', 'db', 'auth', 'rest', 'realtime', 'push', 'calendar'],
  web: [
    'main.tsx',
    'routes.tsx',
    'pages',
    'features',
    'crm',
    'data/*.ts',
    'data/people',
    'data/query',
    'data/sync',
    'data/changes',
    'data/store',
    'data/session',
    'data/server',
    'data/browser',
    'ui',
    'lib',
  ],
}
/** Only the rooms in this folder of `src` speak to the backend's client. */
const clientFolder = 'data/'

interface Pattern {
  group: string[]
  message: string
}

const sharedPattern: Pattern = {
  group: ['#server/**', '#web/**', '../**', '@supabase/**'],
  message: 'src/shared imports nothing of the project: both sides stand on it.',
}

function patternsOf(side: 'server' | 'web', { path, standsOn, because, isDeep, isApart }: Room): Pattern[] {
  const isOwn = (target: string) => target === path || target === path.split('/')[0]
  const isBelow = (target: string) => standsOn.some((room) => target === room || target.startsWith(`${room}/`))
  const refused = importPatterns[side].filter((target) => !isBelow(target) && (!isOwn(target) || isApart))
  const above =
    path === '*.ts' ? [] : refused.map((target) => `#${side}/${target}${/\.tsx?$/.test(target) ? '' : '/**'}`)
  return [
    ...(because === '' || above.length === 0 ? [] : [{ group: above, message: because }]),
    otherSide[side],
    ...(path.startsWith(clientFolder)
      ? []
      : [{ group: ['@supabase/**'], message: "Only src/web/data and the tests speak to the backend's client." }]),
    {
      group: [isDeep ? '../../**' : '../**'],
      message: 'Across folders import by #shared, #server or #web; relative paths stay inside one folder.',
    },
  ]
}

function override(includes: string, patterns: Pattern[]): object {
  const noRestrictedImports = { level: 'error', options: { patterns } }
  return { includes: [includes], linter: { rules: { style: { noRestrictedImports } } } }
}

function lawText(): string {
  const overrides = [override('src/shared/**', [sharedPattern])]
  for (const side of ['server', 'web'] as const) {
    for (const room of layersOfSide[side]) {
      const files = /[*.]/.test(room.path) ? room.path : `${room.path}/**`
      overrides.push(override(`src/${side}/${files}`, patternsOf(side, room)))
    }
  }
  return `${JSON.stringify({ overrides }, null, 2)}\n`
}

const file = fileURLToPath(new URL('../import-law.json', import.meta.url))
if (!process.argv.includes('--check')) writeFileSync(file, lawText())
else if (readFileSync(file, 'utf8') !== lawText()) {
  console.error('import-law.json is not fresh: run `npm run import-law`.')
  process.exit(1)
}
