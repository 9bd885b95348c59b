import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { pageParts } from './scripts/page-parts.ts'

const api = ['/auth/v1', '/rest/v1', '/realtime/v1', '/config.js', '/.well-known', '/healthz', '/readyz']
const unused = fileURLToPath(new URL('src/web/data/unused-client-parts.ts', import.meta.url))
const server = process.env.BANYAN_SERVER ?? 'http://127.0.0.1:3000'

/** Parts of the official client that a first visit does not need; our own import of the live socket gets the real one. */
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused-client-parts',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer?.includes('/@supabase/supabase-js/') && /^@supabase\/(storage|functions|realtime)-js$/.test(id)
      ? unused
      : null,
}

/** The installed app: shell and deep links offline; the worker leaves every address of the protocols alone (design section 3). */
const installedApp: Parameters<typeof VitePWA>[0] = {
  registerType: 'prompt',
  injectRegister: null,
  includeAssets: [],
  workbox: {
    globPatterns: ['**/*.{js,css,html,woff2,svg}', 'icon-192.png'],
    globIgnores: ['**/*-ext-*', '**/*cyrillic*', '**/*vietnamese*'],
    navigateFallback: '/index.html',
    navigateFallbackDenylist: [
      /^\/(auth|rest|realtime)\/v1(\/|$)/,
      /^\/(healthz|readyz|metrics|config\.js|\.well-known)/,
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
  manifest: {
    id: '/',
    name: 'Banyan CRM',
    short_name: 'Banyan',
    description: 'Manage your deals, contacts, and pipeline',
    lang: 'en-GB',
    start_url: '/crm/overview',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfcfb',
    theme_color: '#fbfcfb',
    categories: ['business', 'productivity'],
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/icon-monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
    ],
    shortcuts: [
      { name: 'New deal', url: '/crm/deals?new=1', icons: [{ src: '/icon-192.png', sizes: '192x192' }] },
      { name: 'New task', url: '/crm/tasks?new=1', icons: [{ src: '/icon-192.png', sizes: '192x192' }] },
    ],
    screenshots: [
      { src: '/screenshot-wide.png', sizes: '1440x900', type: 'image/png', form_factor: 'wide', label: 'The pipeline' },
      {
        src: '/screenshot-narrow.png',
        sizes: '780x1688',
        type: 'image/png',
        form_factor: 'narrow',
        label: 'On the phone',
      },
    ],
  },
}

/** Fields of panels and dialogs: no page's first look has them. */
const fields = '(?:edit-in-place/|combobox\\.|select\\.|panel\\.|panel-parts|use-panel-focus|person-field|stamp-line)'

/**
 * Few files, each with what its pages share: left alone the first look at the board asks for 56, most below one kB, and a phone's
 * network answers six at a time. A group takes what its modules import, too, where none of a higher priority has it. `npm run budget`
 * holds the bytes.
 */
const chunks = {
  groups: [
    { name: 'first', tags: ['$initial' as const], priority: 4 },
    { name: 'client', test: /@supabase\/(supabase|auth|postgrest)-js\/|src\/web\/data\/client\.ts$/, priority: 3 },
    {
      name: 'small',
      // A field of a form brings the library of forms, which only dialogs have.
      test: new RegExp(`src/web/(lib|ui)/(?!${fields}|record-field|record-kinds|code-input)|lucide-react`),
      minShareCount: 3,
      maxModuleSize: 6000,
      priority: 2,
    },
    { name: 'crm', test: /src\/web\/pages\/crm\.tsx$/, priority: 1 },
    { name: 'data', test: /src\/web\/data\/|\/virtua\//, minShareCount: 4, priority: 1 },
    { name: 'fields', test: new RegExp(`src/web/ui/${fields}`), minShareCount: 3 },
  ],
}

export default defineConfig({
  plugins: [leaveOutUnused, react(), tailwindcss(), pageParts, VitePWA(installedApp)],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: chunks } },
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(api.map((path) => [path, { target: server, ws: path === '/realtime/v1' }])) },
})
