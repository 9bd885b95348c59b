import type { HttpRequest } from '#server/http/exchange.ts'

/** `/auth/v1/factors/:id`, with or without a verb behind it. */
const factorPath = /^\/auth\/v1\/factors\/([^/]+)(?:\/(challenge|verify))?$/

/** The id in the address; undefined where there is none. */
export function factorIdOf({ path }: HttpRequest): string | undefined {
  return factorPath.exec(path)?.[1]
}

/** The address with `:id` in the place of a factor's id, as the table of routes has it. */
export function routePattern(path: string): string {
  const match = factorPath.exec(path)
  if (match === null) return path
  return match[2] === undefined ? '/auth/v1/factors/:id' : `/auth/v1/factors/:id/${match[2]}`
}
