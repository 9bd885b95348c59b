import type { HttpRequest } from '#server/http/exchange.ts'

/** `/auth/v1/factors/:id`, with or without a verb after it. */
const factorPath = /^\/auth\/v1\/factors\/([^/]+)(?:\/(challenge|verify))?$/

/** The id in the path; undefined if there is none. */
export function factorIdOf({ path }: HttpRequest): string | undefined {
  return factorPath.exec(path)?.[1]
}

/** The path with `:id` in place of a factor's id, as the route table has it. */
export function routePattern(path: string): string {
  const match = factorPath.exec(path)
  if (match === null) return path
  return match[2] === undefined ? '/auth/v1/factors/:id' : `/auth/v1/factors/:id/${match[2]}`
}
