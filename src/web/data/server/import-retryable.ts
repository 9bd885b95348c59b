declare global {
  /**
   * The query string for the URLs of the files that can be requested again, such as '?1' after one failed import. The build adds it to these URLs
   * (`retriedImports` in vite.config.ts).
   */
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
