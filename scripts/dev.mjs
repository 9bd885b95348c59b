/** `npm run dev`: restarts the server when its sources change; the client on port 5173 reloads without a restart. */
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
// Ctrl-C reaches the children, too. tsx kills the server on a second signal.
process.on('SIGINT', () => {})
for (const child of children) {
  child.on('exit', (code) => {
    // tsx kills the server on a second signal, before the server has stopped its database.
    for (const other of children) if (!other.killed) other.kill('SIGTERM')
    process.exitCode = code ?? 0
  })
}
