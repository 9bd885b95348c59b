import type { FilterTest, JsonStep, OrderTerm } from './request.ts'
import type { Column, Relation, Relationship, Routine } from './schema.ts'
import type { Value } from './request.ts'

/**
 * The read of one level of a request: of the requested resource (the root), or of an embedded resource. The read was checked
 * against the schema: every name in it comes from the catalogue, or is an alias, which is quoted in the SQL.
 */
export interface ReadPlan {
  relation: Relation
  /** SQL alias of the level's rows: `t0` for the root; embedded resources and their junctions get the next numbers. */
  alias: string
  outputs: SelectOutput[]
  where: PlannedCondition[]
  order: PlannedOrder[]
  /** Maximum number of rows. Null: there is no maximum, because all rows that a write returns are wanted. */
  limit: number | null
  /**
   * The number of rows to skip. For the root the value is in the offset slot, for embedded resources it is in the plan.
   * Null: no row is skipped.
   */
  offset: Value | null
  embeds: EmbedPlan[]
}

export interface PlannedField {
  column: Column
  path: readonly JsonStep[]
}

/** An element of a level's select list: all columns, a column (or a path inside it), or an embedded resource. */
export type SelectOutput =
  | { kind: 'all' }
  | { kind: 'field'; field: PlannedField; name: string; cast: string | null }
  | { kind: 'embed'; embed: EmbedPlan }

/** An embedded resource: how it is joined with its parent, and the read of its rows. */
export interface EmbedPlan {
  /** The key of the embedded resource in the JSON of its parent's row. */
  name: string
  /**
   * Whether the JSON contains the embedded resource. False if its selection is empty, as in `books()`: then the embedded
   * resource only filters the rows of its parent.
   */
  isShown: boolean
  /** Whether rows of the parent are left out if the embedded resource has no matching row for them. */
  isInner: boolean
  relationship: Relationship
  junctionAlias: string
  read: ReadPlan
}

/** A condition of a level. `related`: the embedded resource must have a row for the parent's row (`negated`: must have none). */
export type PlannedCondition =
  | { kind: 'filter'; field: PlannedField; negated: boolean; test: FilterTest }
  | { kind: 'and' | 'or'; negated: boolean; terms: PlannedCondition[] }
  | { kind: 'related'; embed: EmbedPlan; negated: boolean }

export interface PlannedOrder {
  /** The embedded resource whose column orders the rows. Null: the column belongs to the level itself. */
  embed: EmbedPlan | null
  field: PlannedField
  direction: OrderTerm['direction']
  nulls: OrderTerm['nulls']
}

export interface WritePlan {
  kind: 'insert' | 'update' | 'delete'
  relation: Relation
  /** The columns that the body of the write sets. */
  columns: Column[]
  /** The content of the body: one object, a list of objects, or nothing. */
  body: 'object' | 'list' | 'none'
  /** Whether columns that an inserted object lacks get their default values instead of null. */
  missingDefault: boolean
  /** The conflict target of an upsert. `merge`: whether the upsert changes existing rows. Null: the write is no upsert. */
  conflict: { columns: Column[]; merge: boolean } | null
  where: PlannedCondition[]
  /** The read of the rows that the write returns. Null without `return=representation`. */
  returning: ReadPlan | null
  /** Maximum number of rows that the write may affect. Null: no maximum. */
  maxAffected: number | null
}

export interface CallPlan {
  routine: Routine
  /** The arguments of the call. If `value` is null, the argument is read from the JSON of the body (POST). */
  args: { name: string; type: string; value: Value | null }[]
  /** The read of the rows of a function that returns rows with known columns. Null for other functions. */
  read: ReadPlan | null
  /** Maximum number of values in the response, if the function returns a set of values. */
  maxRows: number
  isReadOnlyCall: boolean
}
