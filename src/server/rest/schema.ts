/** What `public` holds, as the catalogue says: the planner knows names only from here, so no other name reaches SQL. */
export interface Schema {
  name: string
  relations: ReadonlyMap<string, Relation>
  /** By name; several where it is overloaded. */
  functions: ReadonlyMap<string, readonly Routine[]>
  /** By the name of the relation that they start from, in both directions and through junctions. */
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
  /** As SQL spells the type, with its length or scale. */
  type: string
  isVector: boolean
  /** SQL of the default, null where there is none. */
  default: string | null
}

export interface Relationship {
  target: Relation
  /** Whether the other side is at most one row. */
  toOne: boolean
  /** The foreign key's name; through a junction the two names. */
  constraints: readonly string[]
  /** Pairs of equal columns: of the start and of the target (or of the junction, where there is one). */
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

/** As the catalogue has it; the two lists of columns go in pairs. */
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
