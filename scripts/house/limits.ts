import type { Figure } from './figures.ts'

/** The maximum of each figure, by its name in the table. When the code improves, lower the limit. */
export const limits: Readonly<Record<string, number>> = {
  'src/web: files over 200 lines': 8,
  'src/server: files over 200 lines': 9,
  // The one file is src/shared/rows.ts, with the generated row types of all tables.
  'src/shared: files over 200 lines': 1,
  'src/web: variables of modules (let)': 5,
  'src/web: stores of modules': 0,
  'src/web: collections of modules': 11,
  'src/web: subscriptions at import': 0,
  'src/web: casts (as, !)': 26,
  'src/web/data: imports that point upwards': 0,
  'src/web: requests while React renders': 0,
  'supabase/migrations: functions defined twice in one release': 0,
  // Migrations are never edited after their merge: a later migration replaces their functions. `private.due_day` is counted too: a database
  // of 0.1.0 needs a provisional copy of it during the update, which 20261215000150 creates and 20261216000050 drops.
  'supabase/migrations: functions that a later migration replaces': 105,
}

/**
 * Returns a sentence for each figure over its limit, and after it a line for each counted place. A figure that cannot be counted, and a limit
 * without a figure, also get a sentence.
 */
export function limitFaults(
  figures: readonly Figure[],
  limitByName: Readonly<Record<string, number>> = limits,
): string[] {
  return Object.entries(limitByName).flatMap(([name, limit]) => {
    const figure = figures.find((candidate) => candidate.name === name)
    if (!figure) return [`No figure is called '${name}'.`]
    if (figure.value === null) return [`${name}: cannot be counted any more.`]
    if (figure.value <= limit) return []
    return [`${name}: ${figure.value}, the limit is ${limit}.`, ...figure.places.map((place) => `  ${place}`)]
  })
}
