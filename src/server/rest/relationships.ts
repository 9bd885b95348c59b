import type { ForeignKey, Relation, Relationship, UniqueKey } from './schema.ts'

/**
 * Returns all relationships between relations, by the name of the relation from which they start. As in PostgREST, each foreign
 * key makes one relationship in each direction. Each pair of foreign keys of a junction makes one in each direction too. A junction is a table
 * whose primary key contains the columns of both foreign keys.
 */
export function relationshipsOf(
  relations: ReadonlyMap<string, Relation>,
  foreignKeys: readonly ForeignKey[],
  uniques: readonly UniqueKey[],
): Map<string, Relationship[]> {
  const byRelation = new Map<string, Relationship[]>()
  const add = (from: string, relationship: Relationship) => {
    const list = byRelation.get(from)
    if (list) list.push(relationship)
    else byRelation.set(from, [relationship])
  }
  for (const key of foreignKeys) {
    const source = relations.get(key.table)
    const target = relations.get(key.target)
    if (!source || !target) continue
    const forward = columnPairs(key.columns, key.target_columns)
    const isUnique = uniques.some((unique) => unique.table === key.table && sameSet(unique.columns, key.columns))
    const constraints = [key.name]
    const common = { constraints, junction: null }
    add(key.table, {
      ...common,
      target,
      isToOne: true,
      join: forward,
      cardinality: isUnique ? 'one-to-one' : 'many-to-one',
    })
    const backward = forward.map(([from, to]) => [to, from] as const)
    add(key.target, {
      ...common,
      target: source,
      isToOne: isUnique,
      join: backward,
      cardinality: isUnique ? 'one-to-one' : 'one-to-many',
    })
  }
  for (const [left, right] of junctionPairs(relations, foreignKeys)) {
    const junction = relations.get(left.table)
    const target = relations.get(right.target)
    if (!junction || !target) continue
    add(left.target, {
      target,
      isToOne: false,
      constraints: [left.name, right.name],
      join: columnPairs(left.target_columns, left.columns),
      junction: { relation: junction, join: columnPairs(right.columns, right.target_columns) },
      cardinality: 'many-to-many',
    })
  }
  return byRelation
}

function* junctionPairs(
  relations: ReadonlyMap<string, Relation>,
  foreignKeys: readonly ForeignKey[],
): Generator<[ForeignKey, ForeignKey]> {
  for (const left of foreignKeys) {
    const primaryKey = relations.get(left.table)?.primaryKey ?? []
    if (!left.columns.every((column) => primaryKey.includes(column))) continue
    for (const right of foreignKeys) {
      if (right === left || right.table !== left.table) continue
      if (right.columns.every((column) => primaryKey.includes(column))) yield [left, right]
    }
  }
}

function columnPairs(from: readonly string[], to: readonly string[]): (readonly [string, string])[] {
  return from.map((column, index) => [column, to[index] ?? ''] as const)
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((column) => right.includes(column))
}
