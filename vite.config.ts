import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { splitByBoard } from './scripts/board-modules.ts'
import { pageParts } from './scripts/page-parts.ts'

const api = ['/auth/v1', '/rest/v1', '/realtime/v1', '/config.js', '/.well-known', '/healthz', '/readyz', '/calendar']
const unused = fileURLToPath(new URL('src/web/data/server/unused-client-parts.ts', import.meta.url))
const server = process.env.BANYAN_SERVER ?? 'http://127.0.0.1:3000'

/** Parts of the official client that a first visit does not need; our own import of the live socket gets the real one. */
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused-client-parts',
  enforce: 'pre',
  resolveId: (id, importer) =>
    (importer?.includes('/@supabase/supabase-js/') && /^@supabase\/(storage|functions|realtime)-js$/.test(id)) ||
    (importer?.includes('/@supabase/auth-js/') && /^\.\/(GoTrueAdminApi|lib\/web3\/ethereum)$/.test(id))
      ? unused
      : null,
}

const passkeys = fileURLToPath(new URL('src/web/data/server/late-passkeys.ts', import.meta.url))

/**
 * The passkey code of the official client gets a file of its own, and its own copy of the few helpers that it shares with the client: a
 * file that imports the client's file would fix its address (see `retriedClient`).
 */
const latePasskeys: Plugin = {
  name: 'late-passkeys',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (importer?.includes('/auth-js/dist/module/GoTrueClient') && id === './lib/webauthn') return passkeys
    const isOfPasskeys = importer && /\/auth-js\/dist\/module\/lib\/(webauthn|.*\?passkeys$)/.test(importer)
    if (!isOfPasskeys || id.includes('webauthn')) return null
    const found = await this.resolve(id, importer.replace('?passkeys', ''), { skipSelf: true })
    return found && { ...found, id: `${found.id}?passkeys` }
  },
}

/** The files of the official client. A group of `chunks` makes each of them. */
const clientFiles = ['client', 'live-client']

/**
 * The files of the official client can be asked for again under another address (src/web/data/server/import-again.ts). Only these: no file
 * imports them statically, so none is ever there twice.
 */
const retriedClient: Plugin = {
  name: 'retried-client',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    for (const name of clientFiles) {
      const file = chunks.find((chunk) => chunk.name === name)
      if (!file || chunks.some(({ imports }) => imports.includes(file.fileName)))
        throw new Error(`${name} has no file of its own, or another file imports it: see \`chunks\`.`)
      const asked = `import(\`./${file.fileName.split('/').pop()}\`)`
      const askers = chunks.filter(({ code }) => code.includes(asked))
      if (askers.length !== 1) throw new Error(`${askers.length} files ask for ${name} instead of one.`)
      for (const chunk of askers)
        chunk.code = chunk.code.replace(asked, asked.replace(/`\)$/, '${globalThis.importTry??``}`)'))
    }
  },
}

/** The typeface comes by CSS, and `build.license` lists scripts only. */
const fontLicense: Plugin = {
  name: 'font-license',
  apply: 'build',
  generateBundle() {
    const file = fileURLToPath(import.meta.resolve('@fontsource-variable/geist/LICENSE'))
    this.emitFile({ type: 'asset', fileName: 'font-license.txt', source: readFileSync(file) })
  },
}

/** The installed app: shell and deep links offline; the worker leaves every address of the protocols alone (design section 3). */
const installedApp: Parameters<typeof VitePWA>[0] = {
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
    // Where the backend is: asked each time, the last answer where there is no network.
    runtimeCaching: [
      {
        urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname === '/config.js',
        handler: 'NetworkFirst',
        options: { cacheName: 'config', networkTimeoutSeconds: 3 },
      },
    ],
  },
  // It is a file in public/, and src/web/lib/web-manifest.ts names it.
  manifest: false,
}

/** Dialogs, the fields of these and of panels, and what an empty list shows come when they are shown, not with a page. */
const fields =
  '(?:dialog|use-sheet-drag|empty-state|edit-|combobox|select\\.|panel\\.|panel-parts|use-panel-focus|person-field|linked-record|open-record|stamp-line|use-active-option|step-form|code-input|keep-focus|read-person|calendar|date-|typed-|plain-words|series)'

/** What pages show of records. It reads no data: a group takes what its modules import. */
const looks = '(?:mine-toggle|priority-badge|record-link|stage-|sync-badge)'

/**
 * Few files, each with what its pages share: left alone the board asks for 74 before its cards, most below one kB, and a phone's
 * network answers six at a time: decision 032 has the figures. A group takes what its modules import, too, where none of a higher priority
 * has it. `npm run budget` holds the bytes.
 */
const chunks = {
  groups: [
    // Of its own, side by side with the app's: it stays in the browser's cache when the app changes.
    { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 5 },
    { name: 'first', tags: ['$initial' as const], priority: 4 },
    {
      name: 'client',
      test: /@supabase\/(supabase|auth|postgrest)-js\/(?!.*(webauthn|\?passkeys$))|src\/web\/data\/server\/client\.ts$/,
      priority: 3,
    },
    { name: 'live-client', test: /@supabase\/(realtime-js|phoenix)\//, priority: 3 },
    // What /auth shares with other pages: in a group with more in it /auth would load that too. `npm run budget` fails where a part is missing here.
    {
      name: 'shown-on-auth',
      test: /src\/web\/(ui\/(avatar|field|link|mark|needs-connection|password-input|tabs|wordmark)\.tsx|lib\/document-title\.ts|crm\/stage-badge\.tsx|data\/server\/service-worker\.ts)$|lucide-react\/.*\/icons\/(building-complex|calendar|plus)\.mjs$/,
      priority: 3,
    },
    // The page and its form, which the page of an invitation link shows too.
    {
      name: 'auth',
      test: /src\/web\/(pages\/auth\.tsx|features\/auth\/(auth-form\.tsx|check-credentials\.ts))$/,
      priority: 2,
    },
    // The frame, and the data that nearly every page of it reads.
    {
      name: 'crm',
      test: /src\/web\/(pages\/crm\.tsx|ui\/keep-focus\.ts|crm\/((create-dialogs|filter-button|tag-(chip|line))\.tsx|use-(list-address|marked-words)\.ts)|data\/(engine|deals-with-tasks)\.ts)$|\/virtua\//,
      priority: 2,
    },
    {
      name: splitByBoard('small'),
      debugName: 'small',
      test: new RegExp(`src/web/((lib|ui)/(?!${fields})|crm/${looks})|lucide-react`),
      minShareCount: 3,
      maxModuleSize: 6000,
      priority: 1,
    },
    // For the overview, and for lists with such an address.
    { name: 'list-part', test: /src\/web\/(crm|data)\/list-part\.tsx?$/ },
    // What two pages share and is next to nothing: a request of its own would cost more than its bytes. Schemas bring their library.
    {
      name: splitByBoard('tiny'),
      debugName: 'tiny',
      test: new RegExp(
        `src/web/(features/(contacts|companies|deals)/(?!.*(schema|typed))|(lib|ui)/(?!${fields})|crm/(plain-note|note-text)|data/weighted)|lucide-react`,
      ),
      minShareCount: 2,
      maxModuleSize: 1500,
    },
  ],
}

export default defineConfig({
  plugins: [
    leaveOutUnused,
    latePasskeys,
    retriedClient,
    fontLicense,
    react(),
    tailwindcss(),
    pageParts,
    VitePWA(installedApp),
  ],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // What the browser gets of others, with their licences.
    license: { fileName: 'third-party-licenses.txt' },
    chunkSizeWarningLimit: 600,
    // The first file names all others, and letters of a hash are not compressed. These are 42 bits, beside a name.
    rolldownOptions: { output: { codeSplitting: chunks, chunkFileNames: 'assets/[name]-[hash:7].js' } },
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(api.map((path) => [path, { target: server, ws: path === '/realtime/v1' }])) },
})
