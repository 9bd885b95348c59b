import { ConfigError } from './config.ts'

/**
 * The exit codes of a failed start. They say whether `scripts/supervise.mjs`, or a service manager, should restart the server.
 */
const exitCodeConfiguration = 1
const exitCodeTemporary = 75

/** Returns the reason of a failed start in one line, with what to do if the cause is known, and the exit code. */
export function describeStartFailure(error: unknown): { sentence: string; exitCode: number } {
  return { sentence: describeFailure(error), exitCode: isTemporary(error) ? exitCodeTemporary : exitCodeConfiguration }
}

/**
 * Matches the codes of errors that may end without an operator's help: errors of the network, of a full disk or file table,
 * of a database that starts or stops, and a deadlock of a migration with statements of another server.
 */
const temporaryErrorPattern =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|ENOSPC|EMFILE|ENFILE|ENOMEM|POSTGRES_DOWN|40P01|(08|53|57|58)\w{3})$/

/** Error codes of the file system that an operator can remedy, and what they mean. */
const fileProblems: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of this path is not a directory',
  EEXIST: 'this is not a directory',
  ELOOP: 'this symbolic link leads to itself',
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return temporaryErrorPattern.test(code) || syscall === 'connect' || /timeout|terminated/.test(error.message)
}

/** Returns the reason of a failed start, or of a failed command of the operator, in one line, with what to do if the cause is known. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use. Stop the program that uses it, or set PORT to another one.`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used by this user. Set PORT to another one.`
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an IP address of this machine. Set HOST to one that is.'
  if (code === '3D000') return `${error.message}. Create it (\`create database\`), or set DATABASE_URL to another one.`
  if (code === '53100')
    return `${error.message}. The disk of the database is full. Free some space, then run this again.`
  if (error.message.startsWith('ENOSPC'))
    return `${error.message}. The disk is full. Free some space, then run this again.`
  const problem = path === undefined ? undefined : fileProblems[code]
  if (problem !== undefined)
    return `${path}: ${problem}. Run this as the user to whom the files belong, or set DATA_DIR to another directory.`
  return error instanceof ConfigError ? `${error.message}.` : error.message
}
