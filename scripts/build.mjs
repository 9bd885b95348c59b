/**
 * Builds what `npm start` serves: the client into dist/web (with .br and .gz beside each text file) and the server
 * into dist/server/main.js. `--if-stale` skips a part whose sources have not changed since its last build.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const compressibleExtension = /\.(js|css|html|svg|json|txt|webmanifest)$/

const parts = [
  {
    name: 'web',
    sources: [
      'index.html',
      'public',
      'src/web',
      'src/shared',
      'vite.config.ts',
      'scripts/page-files.ts',
      'scripts/minified-first-paint.ts',
      'scripts/board-modules.ts',
      'package-lock.json',
    ],
    build: buildWeb,
  },
  { name: 'server', sources: ['src/server', 'src/shared', 'package-lock.json'], build: buildServer },
]

for (const part of parts) {
  const stamp = join(root, 'dist', `${part.name}.stamp`)
  const digest = digestOf(part.sources)
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
  if (process.argv.includes('--if-stale') && isFresh) continue
  const startedAt = Date.now()
  await part.build()
  writeFileSync(stamp, digest)
  console.log(`built ${part.name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

async function buildWeb() {
  // Vite is imported here, because `npm start` with an existing build does not need it.
  const { build: buildClient } = await import('vite')
  await buildClient({ root, logLevel: 'warn' })
  const folder = join(root, 'dist/web')
  await Promise.all(
    filesUnder(folder)
      .filter((file) => compressibleExtension.test(file))
      .map(compress),
  )
}

/**
 * Bundles the server to one file. Its dependencies stay in node_modules, with their native parts and licences. Only zod is bundled, because the
 * server uses only a small part of zod, and loading all of it takes a third of the CPU time of a start.
 */
async function buildServer() {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(root, 'src/server/main.ts'),
    platform: 'node',
    cwd: root,
    external: (id) => !/^([./#]|zod(\/|$))/.test(id),
  })
  await bundle.write({ dir: join(root, 'dist/server'), format: 'esm', entryFileNames: 'main.js', sourcemap: true })
  await bundle.close()
}

async function compress(file) {
  const content = readFileSync(file)
  const brotli = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, brotli))
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}

function digestOf(sources) {
  const hash = createHash('sha256')
  hash.update(`${process.env.VITE_SUPABASE_URL ?? ''} ${process.env.VITE_SUPABASE_PUBLISHABLE_KEY ?? ''}`)
  for (const source of sources) {
    for (const file of filesUnder(join(root, source)))
      hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
