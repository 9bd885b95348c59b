import { ConfigError } from './config.ts'

/**
 * The exit codes of a failed start. `scripts/supervise.mjs` and service managers decide by them whether to restart the server.
 */
const exitCodeConfiguration = 1
const exitCodeTemporary = 75

/** Returns the reason of a failed start in one line, with what to do if the cause is known, and the exit code. */
export function describeStartFailure(error: unknown): { sentence: string; exitCode: number } {
  return { sentence: sentenceOf(error), exitCode: isTemporary(error) ? exitCodeTemporary : exitCodeConfiguration }
}

/**
 * Matches the codes of errors that may end without an operator's help: errors of the network, of a full disk or file table,
 * and of a database that starts or stops.
 */
const temporaryErrorPattern =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|ENOSPC|EMFILE|ENFILE|ENOMEM|POSTGRES_DOWN|(08|53|57|58)\w{3})$/

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return temporaryErrorPattern.test(code) || syscall === 'connect' || /timeout|terminated/.test(error.message)
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use. Stop the program that uses it, or set PORT to another one.`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used by this user. Set PORT to another one.`
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an IP address of this machine. Set HOST to one that is.'
  return error instanceof ConfigError ? `${error.message}.` : error.message
}
