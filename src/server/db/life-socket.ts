import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'

/**
 * A unix socket in the data directory, by which a server in another container notices that this server or its database still
 * runs. The other server cannot see these processes, but it can connect to the socket. The socket listens while this process
 * runs, or any process that has inherited `descriptor`. The kernel closes it when the last of these processes ends, for any reason.
 */
export interface LifeSocket {
  /** The name of the socket's file. */
  name: string
  /** The file descriptor of the socket, for child processes. Undefined after `close`. */
  readonly descriptor: number | undefined
  close(): void
}

const namePattern = /^server\.[0-9a-f-]{36}\.socket$/

/** The codes of connect(2) for a socket that nobody listens on, and for a missing file. */
const deadCodes = ['ECONNREFUSED', 'ENOENT']

/**
 * Creates a socket in `directory`. Returns null, with a warning in the log, if that is not possible, as in a file system that
 * cannot contain sockets. Returns null also on other systems than Linux, where no socket is needed, because all processes see
 * each other.
 */
export async function openLifeSocket(directory: string, log: Logger): Promise<LifeSocket | null> {
  if (process.platform !== 'linux') return null
  const name = `server.${randomUUID()}.socket`
  const path = join(directory, name)
  const listener = createServer((connection) => {
    connection.on('error', () => {})
    connection.destroy()
  })
  const close = () => {
    listener.close()
    rmSync(path, { force: true })
  }
  try {
    await withShortPath(directory, name, (shortPath) => listen(listener, shortPath))
    chmodSync(path, 0o600)
  } catch (error) {
    close()
    const reason = (error as Error).message
    log.warn({ reason }, 'no socket could be created in DATA_DIR: a server in another container is not noticed')
    return null
  }
  listener.on('error', () => {})
  listener.unref()
  return {
    name,
    get descriptor() {
      // Node.js has no public property for the descriptor of a listening socket.
      return (listener as unknown as { _handle: { fd: number } | null })._handle?.fd
    },
    close,
  }
}

/** Whether a process listens on the socket `name` in `directory`. */
export async function isListening(directory: string, name: string): Promise<boolean> {
  if (!namePattern.test(name)) return false
  return withShortPath(
    directory,
    name,
    (shortPath) =>
      new Promise((resolve) => {
        const connection = connect(shortPath)
        connection.once('connect', () => {
          connection.destroy()
          resolve(true)
        })
        // With any other error code, a process listens. EAGAIN, for example, means that it is too busy to accept connections.
        connection.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(!deadCodes.includes(code)))
      }),
  )
}

/** Removes the file of a socket whose processes have ended. */
export function removeLifeSocket(directory: string, name: string): void {
  if (namePattern.test(name)) rmSync(join(directory, name), { force: true })
}

/**
 * Calls `work` with a short path to the file `name` in `directory`, because a socket's path may have at most 107 bytes. The
 * path is valid until the promise of `work` settles.
 */
async function withShortPath<T>(directory: string, name: string, work: (shortPath: string) => Promise<T>): Promise<T> {
  const handle = openSync(directory, 'r')
  try {
    return await work(`/proc/self/fd/${handle}/${name}`)
  } finally {
    closeSync(handle)
  }
}

function listen(listener: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(path, () => {
      listener.off('error', reject)
      resolve()
    })
  })
}
