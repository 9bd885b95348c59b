import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

/**
 * A text that tells a process from every other that ever had its number: its start, and the boot of the machine. Null
 * when no such process runs. After a power cut, or in a new container, the old number often belongs to someone else.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name in parentheses may hold spaces: fields are counted after it. 22 = start time, 3 = state (Z: dead).
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

/** Whether process `pid` is a PostgreSQL that works in `dataDirectory`, and not a stranger with a recycled number. */
export function isPostgresOf(pid: number, dataDirectory: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDirectory)
    } catch {
      return false
    }
  }
  const { status, stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 && stdout.includes('postgres') && stdout.includes(dataDirectory)
}

/**
 * Ends the workers that a killed postmaster left in `dataDirectory` and that have not noticed yet: they hold its shared
 * memory, and no new one can start. Their work is lost either way. Where processes cannot be listed they end by themselves.
 */
export function endOrphanedWorkers(dataDirectory: string): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || !isPostgresOf(pid, dataDirectory)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}
