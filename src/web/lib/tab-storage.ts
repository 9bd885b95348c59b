/** Returns the storage of this tab. Undefined if the browser forbids the page to store anything: reading `sessionStorage` then throws an error. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
