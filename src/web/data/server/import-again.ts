declare global {
  /** A query string that the build adds to the URLs of some files: `retriedImports` in vite.config.ts. It changes after each failed import. */
  var importTry: string | undefined
}

/**
 * Imports a file that is listed in `retriedFiles` of vite.config.ts. Rejects if it does not load. A browser may remember a failed import until the
 * page is closed, so the next call uses another URL.
 */
export async function importAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    globalThis.importTry = `${globalThis.importTry ?? '?'}1`
    throw error
  }
}
