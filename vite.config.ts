import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = ['/auth/v1', '/rest/v1', '/realtime/v1', '/config.js', '/.well-known', '/healthz', '/readyz']
const unused = fileURLToPath(new URL('src/web/data/unused-client-parts.ts', import.meta.url))
const server = process.env.BANYAN_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@supabase/storage-js': unused, '@supabase/functions-js': unused } },
  build: { outDir: 'dist/web', emptyOutDir: true, target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 600 },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(api.map((path) => [path, { target: server, ws: path === '/realtime/v1' }])) },
})
