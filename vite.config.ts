import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { splitByBoard } from './scripts/board-modules.ts'
import { minifiedFirstPaint } from './scripts/minified-first-paint.ts'
import { pageFiles } from './scripts/page-files.ts'

const serverPaths = [
  '/auth/v1',
  '/rest/v1',
  '/realtime/v1',
  '/config.js',
  '/.well-known',
  '/healthz',
  '/readyz',
  '/calendar',
]
const unusedClientParts = fileURLToPath(new URL('src/web/data/server/unused-client-parts.ts', import.meta.url))
const serverUrl = process.env.BANYAN_SERVER ?? 'http://127.0.0.1:3000'

/**
 * Leaves out parts of the official client that a first visit does not need. The app's own import of the live client (realtime-js) gets the real
 * module.
 */
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused-client-parts',
  enforce: 'pre',
  resolveId: (id, importer) =>
    (importer?.includes('/@supabase/supabase-js/') && /^@supabase\/(storage|functions|realtime)-js$/.test(id)) ||
    (importer?.includes('/@supabase/auth-js/') &&
      /^\.\/(GoTrueAdminApi|lib\/(locks|polyfills|web3\/ethereum))$/.test(id))
      ? unusedClientParts
      : null,
}

const passkeysFile = fileURLToPath(new URL('src/web/data/server/late-passkeys.ts', import.meta.url))

/**
 * Moves the passkey code of the official client to a separate file, with its own copy of the few helpers that it shares with the client: no
 * file may import the client's file statically (see `retriedImports`).
 */
const latePasskeys: Plugin = {
  name: 'late-passkeys',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (importer?.includes('/auth-js/dist/module/GoTrueClient') && id === './lib/webauthn') return passkeysFile
    const isOfPasskeys = importer && /\/auth-js\/dist\/module\/lib\/(webauthn|.*\?passkeys$)/.test(importer)
    if (!isOfPasskeys || id.includes('webauthn')) return null
    const resolved = await this.resolve(id, importer.replace('?passkeys', ''), { skipSelf: true })
    return resolved && { ...resolved, id: `${resolved.id}?passkeys` }
  },
}

/** The files that the app can request again after a failure: two of the official client, each from a group of `chunks`, and one of the outbox. */
const retriedFiles = ['client', 'live-client', 'rare-send-code']

/**
 * Lets the app request some files again under another URL (src/web/data/server/import-retryable.ts). That is possible only for these files: no file
 * imports them statically, so they are never loaded twice.
 */
const retriedImports: Plugin = {
  name: 'retried-imports',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    for (const name of retriedFiles) {
      const file = chunks.find((chunk) => chunk.name === name)
      if (!file || chunks.some(({ imports }) => imports.includes(file.fileName)))
        throw new Error(`${name} has no file of its own, or another file imports it: see \`chunks\`.`)
      const importCall = `import(\`./${file.fileName.split('/').pop()}\`)`
      const importers = chunks.filter(({ code }) => code.includes(importCall))
      if (importers.length !== 1) throw new Error(`${importers.length} files import ${name} instead of one.`)
      const [importer] = importers
      if (
        file.imports.some(
          (importedFile) => importedFile !== importer?.fileName && !importer?.imports.includes(importedFile),
        )
      )
        throw new Error(
          `${name} imports a file that its importer does not import. That file would not be requested again.`,
        )
      for (const chunk of importers)
        chunk.code = chunk.code.replace(importCall, importCall.replace(/`\)$/, '${globalThis.importTry??``}`)'))
    }
  },
}

/** Adds the licence of the typeface, which CSS loads: `build.license` lists only scripts. */
const fontLicense: Plugin = {
  name: 'font-license',
  apply: 'build',
  generateBundle() {
    const file = fileURLToPath(import.meta.resolve('@fontsource-variable/geist/LICENSE'))
    this.emitFile({ type: 'asset', fileName: 'font-license.txt', source: readFileSync(file) })
  },
}

/** Settings of the service worker: the app and its deep links work offline. The worker ignores the URLs of the server's protocols. */
const serviceWorkerOptions: Parameters<typeof VitePWA>[0] = {
  registerType: 'prompt',
  injectRegister: null,
  includeAssets: [],
  workbox: {
    globPatterns: ['**/*.{js,css,html,woff2,svg,webmanifest}', 'icon-192.png'],
    globIgnores: ['**/*-ext-*', '**/*cyrillic*', '**/*vietnamese*'],
    importScripts: ['/push-worker.js'],
    navigateFallback: '/index.html',
    navigateFallbackDenylist: [
      /^\/(auth|rest|realtime)\/v1(\/|$)/,
      /^\/(healthz|readyz|metrics|config\.js|calendar\/|\.well-known)/,
    ],
    cleanupOutdatedCaches: true,
    clientsClaim: true,
    // The settings of the backend: requested each time. Without a network, or after 3 s, the last response is used.
    runtimeCaching: [
      {
        urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname === '/config.js',
        handler: 'NetworkFirst',
        options: { cacheName: 'config', networkTimeoutSeconds: 3 },
      },
    ],
  },
  // The manifest is a file in public/, and src/web/lib/web-manifest.ts names it.
  manifest: false,
}

/** A pattern of files that load when they are shown, not with a page: dialogs, fields of dialogs and panels, and the content of empty lists. */
const lateModules =
  '(?:dialog|use-sheet-drag|empty-state|edit-|combobox|select\\.|panel\\.|panel-parts|use-panel-focus|person-field|linked-record|open-record|stamp-line|use-active-option|step-form|code-input|keep-focus|read-person|calendar|date-|typed-|plain-words|series)'

/**
 * A pattern of components with which pages show records. It lists only components that read no data, because a group also contains the imports of its
 * modules.
 */
const recordComponents = '(?:mine-toggle|priority-badge|record-link|stage-|sync-badge)'

/**
 * Groups modules that pages share into a few files. Without groups, the board would request 74 files before its cards, most of them below 1 kB, and a
 * phone's network loads six at a time (figures in decision 032). A group also contains the imports of its modules, unless a group of a higher
 * priority has them. `npm run budget` limits the bytes.
 */
const chunks = {
  groups: [
    // A separate file, so that it stays in the browser's cache when the app changes.
    { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 5 },
    { name: 'first', tags: ['$initial' as const], priority: 4 },
    {
      name: 'client',
      test: /@supabase\/(supabase|auth|postgrest)-js\/(?!.*(webauthn|\?passkeys$))|src\/web\/data\/server\/client\.ts$/,
      priority: 3,
    },
    { name: 'live-client', test: /@supabase\/(realtime-js|phoenix)\//, priority: 3 },
    // Modules that /auth shares with other pages. In a larger group, /auth would load more. `npm run budget` fails if a module is missing here.
    {
      name: 'shown-on-auth',
      test: /src\/web\/(ui\/(avatar|field|link|mark|needs-connection|password-input|tabs|wordmark)\.tsx|lib\/document-title\.ts|crm\/stage-badge\.tsx|data\/server\/service-worker\.ts)$|lucide-react\/.*\/icons\/(building-complex|calendar|plus)\.mjs$/,
      priority: 3,
    },
    // The page /auth and its form, which the page of an invitation link shows too.
    {
      name: 'auth',
      test: /src\/web\/(pages\/auth\.tsx|features\/auth\/(auth-form\.tsx|check-credentials\.ts))$/,
      priority: 2,
    },
    // The frame of /crm, and the data that nearly every page of it reads.
    {
      name: 'crm',
      test: /src\/web\/(pages\/crm\.tsx|ui\/keep-focus\.ts|crm\/((create-dialogs|filter-button|tag-(chip|line))\.tsx|use-(list-url|marked-words)\.ts)|data\/(engine|deals-with-tasks|changes\/member-name)\.ts)$|\/virtua\//,
      priority: 2,
    },
    {
      name: splitByBoard('small'),
      debugName: 'small',
      test: new RegExp(`src/web/((lib|ui)/(?!${lateModules})|crm/${recordComponents})|lucide-react`),
      minShareCount: 3,
      maxModuleSize: 6000,
      priority: 1,
    },
    // For the overview, and for lists whose URL selects a part.
    { name: 'list-part', test: /src\/web\/(crm|data)\/list-part\.tsx?$/ },
    // One file for both modules. Without this group there would be two, because the dialog that deletes the account imports only push.ts.
    { name: 'push', test: /src\/web\/data\/(push|notification-settings)\.ts$/ },
    // Formats of dates, which the board needs before the words of the next group.
    { name: 'dates', test: /src\/web\/lib\/dates\.ts$/, priority: 1 },
    // The words of the list of waiting changes, which the app loads when it is idle. Two files would be larger.
    { name: 'change-words', test: /src\/web\/data\/changes\/(custom|refusal)-words\.ts$/ },
    // Tiny modules that two pages share: a separate request would cost more than their bytes. Schemas are excluded: they import their library.
    {
      name: splitByBoard('tiny'),
      debugName: 'tiny',
      test: new RegExp(
        `src/web/(features/(contacts|companies|deals)/(?!.*(schema|typed))|(lib|ui)/(?!${lateModules})|crm/(plain-note|note-text)|data/weighted)|lucide-react`,
      ),
      minShareCount: 2,
      maxModuleSize: 1500,
    },
  ],
}

/**
 * Returns the files that the browser should request together with `file`. For index.html these are all files that the first one imports. For a file
 * that the app imports when it needs it, the file itself and those that every page has loaded are left out: the first file contains these lists, and
 * hashes do not compress.
 */
function preloadedFiles(file: string, dependencies: string[], { hostType }: { hostType: 'html' | 'js' }): string[] {
  if (hostType === 'html') return dependencies
  return dependencies.filter((name) => name !== file && !/\/(react|rolldown-runtime|index)-[^/]*$/.test(name))
}

export default defineConfig({
  plugins: [
    leaveOutUnused,
    latePasskeys,
    retriedImports,
    fontLicense,
    react(),
    tailwindcss(),
    pageFiles,
    minifiedFirstPaint,
    VitePWA(serviceWorkerOptions),
  ],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // The licences of third-party code in the client.
    license: { fileName: 'third-party-licenses.txt' },
    chunkSizeWarningLimit: 600,
    modulePreload: { resolveDependencies: preloadedFiles },
    // Short hashes (42 bits), because the first file contains all file names, and hashes do not compress.
    rolldownOptions: { output: { codeSplitting: chunks, chunkFileNames: 'assets/[name]-[hash:7].js' } },
  },
  worker: { format: 'es' },
  server: {
    proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: serverUrl, ws: path === '/realtime/v1' }])),
  },
})
