/**
 * The relations, functions and types of the schema `public`, from the catalogue. The planner accepts only these names, so no
 * other name gets into SQL, except quoted aliases.
 */
export interface Schema {
  name: string
  relations: ReadonlyMap<string, Relation>
  /** The functions by their name. A name with several overloads has several elements. */
  functions: ReadonlyMap<string, readonly Routine[]>
  /** The relationships by the name of the relation from which they start. Each foreign key is listed in both directions. */
  relationships: ReadonlyMap<string, readonly Relationship[]>
  /** The names of types that a cast may use. */
  types: ReadonlySet<string>
}

/** A table, a view, or the rows that a function returns. */
export interface Relation {
  name: string
  /** The relation's schema and name, both quoted for SQL. */
  sql: string
  isTable: boolean
  columns: ReadonlyMap<string, Column>
  primaryKey: readonly string[]
}

export interface Column {
  name: string
  /** The type as SQL writes it, with its length or scale. */
  type: string
  /** Whether the column has the type `tsvector` of full-text search. */
  isTextSearchVector: boolean
  /** The default value of the column as SQL text. Null: the column has no default. */
  default: string | null
}

export interface Relationship {
  target: Relation
  /** Whether a row has at most one row of the target. */
  isToOne: boolean
  /** The name of the foreign key. For a junction, the names of both foreign keys. */
  constraints: readonly string[]
  /**
   * Pairs of columns that must be equal: one of the relation where the relationship starts, one of the target (or of the
   * junction, if there is one).
   */
  join: readonly (readonly [from: string, to: string])[]
  /** The junction, and the pairs of columns that must be equal: one of the junction, one of the target. Null without a junction. */
  junction: { relation: Relation; join: readonly (readonly [from: string, to: string])[] } | null
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'
}

/** One overload of a function. `returns.set`: whether the function returns a set of values or rows. */
export interface Routine {
  name: string
  /** The schema and name of the function, both quoted for SQL. */
  sql: string
  args: readonly { name: string; type: string; required: boolean }[]
  returns: { kind: 'void' | 'scalar' | 'json' | 'rows'; set: boolean; relation: Relation | null }
  /** Whether the function may write. False if it is declared stable or immutable. */
  mayWrite: boolean
}

/** A foreign key, as the catalogue describes it. `columns[n]` refers to `target_columns[n]`. */
export interface ForeignKey {
  name: string
  table: string
  columns: string[]
  target: string
  target_columns: string[]
}

/** A primary key or unique constraint. */
export interface UniqueKey {
  table: string
  columns: string[]
  is_primary: boolean
}
