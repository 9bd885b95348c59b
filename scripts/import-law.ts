/**
 * `npm run import-law`: writes the import law (which layer may import which) as Biome rules into `import-law.json`, which `biome.json`
 * extends. `--check` fails if that file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file or folder of `src/server` or `src/web`, and the other layers that it may import. */
interface Layer {
  /** The path of the layer in `src/server` or `src/web`, or a pattern of paths. */
  path: string
  /** Paths of the layers that this layer may import; a folder includes all files in it. Every layer may import `src/shared`. */
  mayImport: readonly string[]
  /** The linter's message for an import of another layer on the same side. Empty if no such import is refused. */
  message: string
  /** True if the folder has subfolders, whose files may import from the parent folder by a relative path. */
  hasSubfolders?: boolean
  /** True if the layer's files may import each other by relative paths only. Two folders in it, such as two features, are then separate. */
  partsAreSeparate?: boolean
}

/** The folders of the server that respond to requests or send messages. None of them imports another. */
const protocols = ['auth', 'rest', 'realtime', 'push', 'calendar']

/** The layers of each side, the lowest first. */
const layersOfSide: Record<'server' | 'web', readonly Layer[]> = {
  server: [
    { path: 'http', mayImport: [], message: 'http is a lowest layer of the server: it imports src/shared only.' },
    { path: 'db', mayImport: [], message: 'db is a lowest layer of the server: it imports src/shared only.' },
    ...protocols.map((path) => ({
      path,
      mayImport: ['http', 'db'],
      message: `src/server/${path} imports http and db only.`,
      hasSubfolders: true,
    })),
    { path: '*.ts', mayImport: ['http', 'db', ...protocols], message: '' },
  ],
  web: [
    { path: 'lib', mayImport: [], message: 'lib imports src/shared only.', partsAreSeparate: true },
    { path: 'ui', mayImport: ['lib'], message: 'ui contains no product noun: it imports lib only.' },
    // The layers of data: the connection to the server is near the bottom, and the files of the nouns are at the top.
    { path: 'data/browser', mayImport: ['lib'], message: 'data/browser imports lib only.' },
    { path: 'data/server', mayImport: ['lib', 'data/browser'], message: 'data/server imports lib and browser only.' },
    {
      path: 'data/session',
      mayImport: ['lib', 'data/browser', 'data/server'],
      message: 'data/session imports lib, browser and server only.',
    },
    {
      path: 'data/store',
      mayImport: ['lib', 'data/browser', 'data/server', 'data/session'],
      message: 'data/store imports lib, browser, server and session only.',
    },
    {
      path: 'data/changes',
      mayImport: ['lib', 'data/browser', 'data/server', 'data/session', 'data/store'],
      message: 'data/changes imports lib, browser, server, session and store only.',
    },
    {
      path: 'data/sync',
      mayImport: ['lib', 'data/browser', 'data/server', 'data/session', 'data/store', 'data/changes'],
      message: 'data/sync imports lib, browser, server, session, store and changes only.',
    },
    {
      path: 'data/query',
      mayImport: ['lib', 'data/browser', 'data/server', 'data/session', 'data/store', 'data/changes', 'data/sync'],
      message: 'data/query imports lib, browser, server, session, store, changes and sync only.',
    },
    {
      path: 'data/people',
      mayImport: [
        'lib',
        'data/browser',
        'data/server',
        'data/session',
        'data/store',
        'data/changes',
        'data/sync',
        'data/query',
      ],
      message: 'data/people imports lib, browser, server, session, store, changes, sync and query only.',
    },
    {
      path: 'data/*.ts',
      mayImport: [
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
      message: 'The files of src/web/data import only its folders, src/shared and lib.',
    },
    {
      path: 'crm',
      mayImport: ['lib', 'ui', 'data'],
      message: 'crm contains the components of records that features share: it imports lib, ui and data only.',
    },
    {
      path: 'features/*/*',
      mayImport: ['lib', 'ui', 'data', 'crm'],
      message: 'A feature never imports a page or another feature. It imports its own files by relative paths.',
      partsAreSeparate: true,
    },
    {
      path: 'features/*/*/**',
      mayImport: ['lib', 'ui', 'data', 'crm'],
      message: 'A feature never imports a page or another feature. It imports its own files by relative paths.',
      partsAreSeparate: true,
      hasSubfolders: true,
    },
    {
      path: 'pages',
      mayImport: ['lib', 'ui', 'data', 'crm', 'features'],
      message: 'Routes import pages; a page never imports routes.',
    },
    {
      path: 'routes.tsx',
      mayImport: ['lib', 'ui', 'data', 'crm', 'features', 'pages'],
      message: 'main imports routes; routes never import main.',
    },
    { path: 'main.tsx', mayImport: ['lib', 'ui', 'data', 'crm', 'features', 'pages', 'routes.tsx'], message: '' },
  ],
}

/** The pattern that refuses imports from the other side, and the linter's message. */
const otherSide = {
  server: { group: ['#web/**'], message: "The server never imports the browser's code." },
  web: { group: ['#server/**'], message: "The browser's code never imports the server: they share src/shared only." },
}
/** The layers of each side, as imports name them after `#server/` or `#web/`. */
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
/** Only layers in this folder may import the official client (`@supabase/…`). */
const clientFolder = 'data/'

interface Pattern {
  group: string[]
  message: string
}

const sharedPattern: Pattern = {
  group: ['#server/**', '#web/**', '../**', '@supabase/**'],
  message: 'src/shared imports nothing of the project, because both sides import it.',
}

function patternsOf(
  side: 'server' | 'web',
  { path, mayImport, message, hasSubfolders, partsAreSeparate }: Layer,
): Pattern[] {
  const isOwn = (target: string) => target === path || target === path.split('/')[0]
  const isAllowed = (target: string) => mayImport.some((layer) => target === layer || target.startsWith(`${layer}/`))
  const refusedLayers = importPatterns[side].filter(
    (target) => !isAllowed(target) && (!isOwn(target) || partsAreSeparate),
  )
  const refusedImports =
    path === '*.ts' ? [] : refusedLayers.map((target) => `#${side}/${target}${/\.tsx?$/.test(target) ? '' : '/**'}`)
  return [
    ...(message === '' || refusedImports.length === 0 ? [] : [{ group: refusedImports, message: message }]),
    otherSide[side],
    ...(path.startsWith(clientFolder)
      ? []
      : [
          {
            group: ['@supabase/**'],
            message: 'Only src/web/data and the tests import the official client (@supabase).',
          },
        ]),
    {
      group: [hasSubfolders ? '../../**' : '../**'],
      message: 'Import from other folders by #shared, #server or #web; relative paths stay inside one folder.',
    },
  ]
}

function overrideFor(includes: string, patterns: Pattern[]): object {
  const noRestrictedImports = { level: 'error', options: { patterns } }
  return { includes: [includes], linter: { rules: { style: { noRestrictedImports } } } }
}

function generatedText(): string {
  const overrides = [overrideFor('src/shared/**', [sharedPattern])]
  for (const side of ['server', 'web'] as const) {
    for (const layer of layersOfSide[side]) {
      const files = /[*.]/.test(layer.path) ? layer.path : `${layer.path}/**`
      overrides.push(overrideFor(`src/${side}/${files}`, patternsOf(side, layer)))
    }
  }
  return `${JSON.stringify({ overrides }, null, 2)}\n`
}

const lawFile = fileURLToPath(new URL('../import-law.json', import.meta.url))
if (!process.argv.includes('--check')) writeFileSync(lawFile, generatedText())
else if (readFileSync(lawFile, 'utf8') !== generatedText()) {
  console.error('import-law.json is out of date: run `npm run import-law`.')
  process.exit(1)
}
