/** `npm start`: builds what is missing or stale in a process of its own, then becomes the server. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Banyan CRM needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const build = fileURLToPath(new URL('build.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

await import('../dist/server/main.js')
