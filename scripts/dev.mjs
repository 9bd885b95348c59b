/**
 * `npm run dev`: runs the server on port 3000 (`PORT`) and the client's development server on port 5173. The server restarts when its
 * sources change. The page in the browser gets changes of the client at once.
 */
import { spawn } from 'node:child_process'

// The programs are started without npx, whose shell does not forward signals. npm has put node_modules/.bin into PATH.
const port = process.env.PORT ?? '3000'
const children = [
  spawn('tsx', ['watch', '--clear-screen=false', 'src/server/main.ts'], { stdio: 'inherit' }),
  spawn('vite', [], { stdio: 'inherit', env: { ...process.env, BANYAN_SERVER: `http://127.0.0.1:${port}` } }),
]

process.on('SIGTERM', () => {
  for (const child of children) child.kill('SIGTERM')
})
// The terminal sends Ctrl-C to the children too. So this process sends them no signal: on a second one, tsx would kill the server.
process.on('SIGINT', () => {})
for (const child of children) {
  child.on('exit', (code) => {
    // Each child gets at most one signal: on a second one, tsx would kill the server before it has stopped its database.
    for (const other of children) if (!other.killed) other.kill('SIGTERM')
    process.exitCode = code ?? 0
  })
}
