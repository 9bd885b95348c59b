import type { FilterTest, JsonStep, OrderTerm } from './request.ts'
import type { Column, Relation, Relationship, Routine } from './schema.ts'
import type { Value } from './request.ts'

/**
 * A read that was checked against the schema. Every name in it comes from the catalogue, or is an alias, which is quoted in
 * the SQL.
 */
export interface ReadPlan {
  relation: Relation
  /** SQL alias of the row source: `t0` for the root, `t1` and so on for embedded resources. */
  alias: string
  outputs: SelectOutput[]
  where: PlannedCondition[]
  order: PlannedOrder[]
  /** Maximum number of rows. Null: all rows that a write returns. */
  limit: number | null
  /** The number of rows to skip: in the offset slot for the root, in the plan for embedded resources. Null: none is skipped. */
  offset: Value | null
  embeds: EmbedPlan[]
}

export interface PlannedField {
  column: Column
  path: readonly JsonStep[]
}

export type SelectOutput =
  | { kind: 'all' }
  | { kind: 'field'; field: PlannedField; name: string; cast: string | null }
  | { kind: 'embed'; embed: EmbedPlan }

export interface EmbedPlan {
  /** The key in the JSON of the parent's row. */
  name: string
  /** False for an embedded resource without columns: it only filters, and the JSON does not contain it. */
  shown: boolean
  /** Whether rows of the parent without a matching row are left out. */
  inner: boolean
  relationship: Relationship
  junctionAlias: string
  read: ReadPlan
}

export type PlannedCondition =
  | { kind: 'filter'; field: PlannedField; negated: boolean; test: FilterTest }
  | { kind: 'and' | 'or'; negated: boolean; terms: PlannedCondition[] }
  | { kind: 'related'; embed: EmbedPlan; negated: boolean }

export interface PlannedOrder {
  embed: EmbedPlan | null
  field: PlannedField
  direction: OrderTerm['direction']
  nulls: OrderTerm['nulls']
}

export interface MutationPlan {
  kind: 'insert' | 'update' | 'delete'
  relation: Relation
  /** The columns that the body sets. */
  columns: Column[]
  /** The content of the body: one object, a list of objects, or nothing. */
  body: 'object' | 'list' | 'none'
  missingDefault: boolean
  conflict: { columns: Column[]; merge: boolean } | null
  where: PlannedCondition[]
  /** The rows to return. Null without `return=representation`. */
  returning: ReadPlan | null
  maxAffected: number | null
}

export interface CallPlan {
  routine: Routine
  /** `value` null: the argument is read from the JSON of the body (POST). */
  args: { name: string; type: string; value: Value | null }[]
  /** For functions that return rows with known columns. Null for other functions. */
  read: ReadPlan | null
  /** Maximum number of values of a function that returns a set. */
  maxRows: number
  readOnly: boolean
}
