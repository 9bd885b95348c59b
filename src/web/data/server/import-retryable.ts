declare global {
  /** A query string that the build adds to the URLs of some files: `retriedImports` in vite.config.ts. It changes after each failed import. */
  var importTry: string | undefined
}

/**
 * Imports a file. If it does not load, rejects, and the next call uses another URL, because a browser may remember a failed import until the page
 * is closed. Only for the files that `retriedFiles` of vite.config.ts lists.
 */
export async function importRetryable<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    globalThis.importTry = `${globalThis.importTry ?? '?'}1`
    throw error
  }
}
