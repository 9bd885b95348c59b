import { HttpError, refusal } from '#server/http/errors.ts'
import type { Relation, Schema } from './schema.ts'

/**
 * Returns the refusal 400 for an unknown column, with PostgreSQL's code and message. No query is sent, because unknown
 * names never get into SQL.
 */
export function unknownColumn(relation: Relation, column: string): HttpError {
  const similarName = closest(column, relation.columns.keys())
  return new HttpError(400, '42703', `column ${relation.name}.${shorten(column)} does not exist`, {
    hint: similarName && `Perhaps you meant to reference the column "${relation.name}.${similarName}".`,
  })
}

/**
 * Returns the refusal 400 PGRST204: the relation has no column with the name of this key of the body (or of the parameter
 * `columns`).
 */
export function unknownBodyColumn(relation: Relation, column: string): HttpError {
  return refusal('PGRST204', {
    message: `Could not find the '${shorten(column)}' column of '${relation.name}' in the schema cache`,
  })
}

/** Returns the refusal 404 PGRST205: there is no table or view with this name. */
export function unknownRelation(schema: Schema, name: string): HttpError {
  const similarName = closest(name, schema.relations.keys())
  return refusal('PGRST205', {
    message: `Could not find the table '${schema.name}.${shorten(name)}' in the schema cache`,
    hint: similarName && `Perhaps you meant the table '${schema.name}.${similarName}'`,
  })
}

/** Returns the refusal 404 PGRST202: no function with this name has these arguments. */
export function unknownFunction(schema: Schema, name: string, args: readonly string[]): HttpError {
  const signature = `${schema.name}.${shorten(name)}`
  const argumentNames = args.map(shorten)
  const what =
    argumentNames.length === 0
      ? 'without parameters'
      : `with parameter${argumentNames.length > 1 ? 's' : ''} ${argumentNames.join(', ')}`
  const similarName = schema.functions.has(name) ? name : closest(name, schema.functions.keys())
  const parameterNames = (similarName === null ? undefined : schema.functions.get(similarName)?.[0])?.args
    .map((arg) => arg.name)
    .join(', ')
  return refusal('PGRST202', {
    message: `Could not find the function ${signature}${argumentNames.length === 0 ? '' : `(${argumentNames.join(', ')})`} ${argumentNames.length === 0 ? 'without parameters ' : ''}in the schema cache`,
    details: `Searched for the function ${signature} ${what}, but no matches were found in the schema cache.`,
    hint:
      similarName &&
      `Perhaps you meant to call the function ${schema.name}.${similarName}${parameterNames ? `(${parameterNames})` : ''}`,
  })
}

/** Returns the refusal 400 PGRST200: the two relations have no relationship, or none that matches the hint. */
export function unknownRelationship(schema: Schema, from: string, target: string, hint: string | null): HttpError {
  const similarName = closest(
    target,
    (schema.relationships.get(from) ?? []).map((found) => found.target.name),
  )
  const using = hint === null ? '' : ` using the hint '${shorten(hint)}'`
  const between = `'${from}' and '${shorten(target)}'`
  return refusal('PGRST200', {
    message: `Could not find a relationship between ${between} in the schema cache`,
    details: `Searched for a foreign key relationship between ${between}${using} in the schema '${schema.name}', but no matches were found.`,
    hint:
      similarName && similarName !== target
        ? `Perhaps you meant '${similarName}' instead of '${shorten(target)}'.`
        : null,
  })
}

/** Whether the error means that a name is unknown, so that the request may succeed after the schema was reloaded. */
export function isUnknownName(error: unknown): boolean {
  return error instanceof HttpError && unknownNameCodes.has(error.code)
}

/** PGRST123 is the refusal of a selected `count`, which may be the name of a new column. */
const unknownNameCodes = new Set(['PGRST123', '42703', '42704', 'PGRST200', 'PGRST202', 'PGRST204', 'PGRST205'])

/** Returns the one of `names` that is most similar to `name`. Returns null if none is similar enough. */
function closest(name: string, names: Iterable<string>): string | null {
  if (name.length > 63) return null
  let bestName: string | null = null
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      bestName = candidate
      bestDistance = distance
    }
  }
  return bestName
}

/** Returns the Levenshtein distance of two texts, or `limit` if their lengths differ by at least `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? limit
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
