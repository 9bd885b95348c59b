/** The content of `public`, from the catalogue. The planner accepts only these names, so no other name reaches SQL. */
export interface Schema {
  name: string
  relations: ReadonlyMap<string, Relation>
  /** By name; several entries for an overloaded function. */
  functions: ReadonlyMap<string, readonly Routine[]>
  /** By the name of the relation they start from, in both directions and through junctions. */
  relationships: ReadonlyMap<string, readonly Relationship[]>
  /** Names that a cast may use. */
  types: ReadonlySet<string>
}

export interface Relation {
  name: string
  /** Schema and name, quoted. */
  sql: string
  isTable: boolean
  columns: ReadonlyMap<string, Column>
  primaryKey: readonly string[]
}

export interface Column {
  name: string
  /** The type as SQL writes it, with its length or scale. */
  type: string
  isVector: boolean
  /** The default as SQL, or null. */
  default: string | null
}

export interface Relationship {
  target: Relation
  /** Whether the other side has at most one row. */
  toOne: boolean
  /** The foreign key's name; for a junction both names. */
  constraints: readonly string[]
  /** Pairs of equal columns: of the start and of the target (or of the junction, if there is one). */
  join: readonly (readonly [from: string, to: string])[]
  junction: { relation: Relation; join: readonly (readonly [from: string, to: string])[] } | null
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'
}

export interface Routine {
  name: string
  sql: string
  args: readonly { name: string; type: string; required: boolean }[]
  returns: { kind: 'void' | 'scalar' | 'json' | 'rows'; set: boolean; relation: Relation | null }
}

/** As in the catalogue; the two lists of columns are parallel. */
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
