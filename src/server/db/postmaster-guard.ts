import { spawn } from 'node:child_process'
import type { SystemUser } from './system-user.ts'

/**
 * A shell script that waits for the end of its input, and then stops the process with the id $1 if that process is still a
 * PostgreSQL.
 */
const guardScript = `read -r _
name=$(cat "/proc/$1/comm" 2>/dev/null || ps -o comm= -p "$1" 2>/dev/null)
case "$name" in *postgres*) kill -INT "$1" ;; esac`

/**
 * Starts a guard that stops the postmaster `pid` when this process dies for any reason. Without the guard, the database of a
 * killed server would run until the next start. The guard is a small shell in its own session. It reads from a pipe that
 * this process holds open; the pipe closes when this process dies. The guard ends when the postmaster ends (`exited`).
 */
export function guardPostmaster(pid: number, user: SystemUser | null, exited: Promise<void>): void {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'banyan-guard', String(pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '' },
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  })
  // If the shell cannot start, there is no guard; the next start of the server stops the orphaned postmaster.
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  guard.unref()
  void exited.then(() => guard.kill('SIGKILL'))
}
