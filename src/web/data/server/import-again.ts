declare global {
  /** The query string of the URLs of the official client's files. The build adds it to the URLs: `retriedClient` in vite.config.ts. */
  var importTry: string | undefined
}

/**
 * Imports a file of the official client. Rejects if it does not load. A browser may remember a failed import until the page is closed, so the
 * next call uses another URL.
 */
export async function importAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    globalThis.importTry = `${globalThis.importTry ?? '?'}1`
    throw error
  }
}
