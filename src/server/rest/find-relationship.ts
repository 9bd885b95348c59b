import { refusal } from '#server/http/errors.ts'
import type { Relation, Relationship, Schema } from './schema.ts'
import { unknownRelationship } from './unknown-name.ts'

/**
 * Finds the relationship that starts at the relation `from` and that `target!hint` names (docs/supabase-protocol.md,
 * section 3). `target` is a relation, a foreign key, or the only column of a foreign key. `hint` is a foreign key, one of
 * its columns, or a junction. Throws 400 PGRST200 if no relationship matches, 300 PGRST201 if several match.
 */
export function findRelationship(schema: Schema, from: Relation, target: string, hint: string | null): Relationship {
  const candidates = schema.relationships.get(from.name) ?? []
  let matches = candidates.filter((candidate) => candidate.target.name === target)
  if (matches.length === 0) matches = candidates.filter((candidate) => namesForeignKey(candidate, target))
  if (hint !== null) matches = matches.filter((candidate) => matchesHint(candidate, hint))
  const [only, another] = matches
  if (!only) throw unknownRelationship(schema, from.name, target, hint)
  if (another) throw ambiguousRefusal(from, target, matches)
  return only
}

function namesForeignKey(candidate: Relationship, name: string): boolean {
  if (candidate.junction || (candidate.cardinality !== 'many-to-one' && candidate.cardinality !== 'one-to-one'))
    return false
  return candidate.constraints.includes(name) || (candidate.join.length === 1 && candidate.join[0]?.[0] === name)
}

function matchesHint(candidate: Relationship, hint: string): boolean {
  if (candidate.junction) return candidate.junction.relation.name === hint || candidate.constraints.includes(hint)
  return candidate.constraints.includes(hint) || candidate.join.some(([left, right]) => left === hint || right === hint)
}

function ambiguousRefusal(from: Relation, target: string, matches: readonly Relationship[]): Error {
  const choices = matches.map((candidate) => `'${candidate.target.name}!${hintFor(candidate)}'`)
  return refusal('PGRST201', {
    message: `Could not embed because more than one relationship was found for '${from.name}' and '${target}'`,
    details: JSON.stringify(
      matches.map((candidate) => ({
        cardinality: candidate.cardinality,
        embedding: `${from.name} with ${candidate.target.name}`,
        relationship: candidate.constraints.join(' and '),
      })),
    ),
    hint: `Try changing '${target}' to one of the following: ${choices.join(', ')}. Find the desired relationship in the 'details' key.`,
  })
}

function hintFor(candidate: Relationship): string {
  return candidate.junction?.relation.name ?? candidate.constraints[0] ?? ''
}
