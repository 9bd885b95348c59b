import type { HttpRequest } from '#server/http/exchange.ts'

/** Matches `/auth/v1/factors/:id`, also with `/challenge` or `/verify` after it. */
const factorPath = /^\/auth\/v1\/factors\/([^/]+)(?:\/(challenge|verify))?$/

/** Returns the factor's id in the path. Returns undefined if the path contains none. */
export function factorIdOf({ path }: HttpRequest): string | undefined {
  return factorPath.exec(path)?.[1]
}

/** Returns the path with `:id` instead of a factor's id, as in the route table. Returns any other path as it is. */
export function routePattern(path: string): string {
  const match = factorPath.exec(path)
  if (match === null) return path
  return match[2] === undefined ? '/auth/v1/factors/:id' : `/auth/v1/factors/:id/${match[2]}`
}
