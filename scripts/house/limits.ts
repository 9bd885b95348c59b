import type { Figure } from './figures.ts'

/** What no figure may pass, by its name in the table. Where the code got better, its limit comes down with it. */
export const limits: Readonly<Record<string, number>> = {
  'src/web: files over 200 lines': 9,
  'src/server: files over 200 lines': 9,
  // The rows of all tables, which are generated.
  'src/shared: files over 200 lines': 1,
  'src/web: variables of modules (let)': 5,
  'src/web: stores of modules': 0,
  'src/web: collections of modules': 11,
  'src/web: subscriptions at import': 0,
  'src/web: casts (as, !)': 26,
  'src/web/data: imports that point upwards': 0,
  'src/web: requests while React renders': 0,
  'supabase/migrations: functions defined twice in one release': 0,
  // No migration is edited once it has landed: a later one replaces its functions.
  'supabase/migrations: functions that a later migration replaces': 103,
}

/** What is over its limit, a sentence each. A figure that cannot be counted and a limit without a figure are faults, too. */
export function faults(figures: readonly Figure[], allowed: Readonly<Record<string, number>> = limits): string[] {
  return Object.entries(allowed).flatMap(([name, limit]) => {
    const found = figures.find((one) => one.name === name)
    if (!found) return [`No figure is called '${name}'.`]
    if (found.value === null) return [`${name}: cannot be counted any more.`]
    if (found.value <= limit) return []
    return [`${name}: ${found.value}, allowed are ${limit}.`, ...found.places.map((place) => `  ${place}`)]
  })
}
