import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * Returns a text that distinguishes a process from earlier and later processes with the same id: the start time of the process
 * and, on Linux, the machine's boot id. The process id alone is not enough: after a power failure, or in a new container, it
 * often belongs to another process. Returns null if no process with this id runs.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may contain spaces, so fields are counted after it: fields[0] is the state (Z: a zombie),
      // fields[19] the start time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (fields[0] === 'Z') return null
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
    } catch {
      return null
    }
  }
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/**
 * Returns a text that names the PID namespace of this process. Two containers have different namespaces, so the process ids of
 * one mean nothing in the other. The kernel can give the same name to another namespace only after all processes of this
 * namespace have ended. Returns null if there is no such text, as on other systems than Linux.
 */
export function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

/**
 * Whether process `pid` is a PostgreSQL of `dataDirectory`, and not another process with a reused id. On Linux, the program
 * must be named postgres and run in this working directory; a shell that an operator has opened there does not count.
 * Elsewhere, the command line must contain `postgres` and `dataDirectory`.
 */
export function isPostgresOf(pid: number, dataDirectory: string): boolean {
  if (process.platform === 'linux') {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      return name === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDirectory)
    } catch {
      return false
    }
  }
  const { status, stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 && stdout.includes('postgres') && stdout.includes(dataDirectory)
}

/**
 * Kills the worker processes that a killed postmaster left in `dataDirectory`. The workers hold the shared memory of the killed postmaster, so no
 * new postmaster can start. Their work is lost in any case. Does nothing on other systems than Linux; there the workers end by
 * themselves after a while.
 */
export function killOrphanedWorkers(dataDirectory: string): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || !isPostgresOf(pid, dataDirectory)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended meanwhile.
    }
  }
}
