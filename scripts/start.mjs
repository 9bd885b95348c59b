/**
 * `npm start`: builds missing or outdated files in a separate process, then runs the server and restarts it after a
 * crash.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { supervise } from './supervise.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Banyan CRM needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const build = fileURLToPath(new URL('build.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

supervise(fileURLToPath(new URL('../dist/server/main.js', import.meta.url)), process.argv.slice(2))
