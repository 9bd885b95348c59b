/** Where the client keeps its session (key of the durable store). */
export const sessionStorageKey = 'session'

/** The `sub` of a token, unchecked (the server checks); null when it is none. */
export function subjectOf(token: string): string | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const claims = JSON.parse(text) as { sub?: unknown }
    return typeof claims.sub === 'string' ? claims.sub : null
  } catch {
    return null
  }
}
