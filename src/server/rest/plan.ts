import type { Test, JsonStep, OrderTerm } from './request.ts'
import type { Column, Relation, Relationship, Routine } from './schema.ts'
import type { Value } from './request.ts'

/**
 * A read that is checked against the schema: every name in it comes from the catalogue, or is an alias that will be
 * quoted.
 */
export interface ReadPlan {
  relation: Relation
  /** Name of the row source in the statement: `t0` for the root, `t1`… for embeds. */
  alias: string
  outputs: Output[]
  where: PlannedCondition[]
  order: PlannedOrder[]
  /** Maximum number of rows; null: all (the rows that a write returns). */
  limit: number | null
  /** Null: no rows are skipped. At the root the number is in the offset slot, below it in the plan. */
  offset: Value | null
  embeds: EmbedPlan[]
}

export interface PlannedField {
  column: Column
  path: readonly JsonStep[]
}

export type Output =
  | { kind: 'all' }
  | { kind: 'field'; field: PlannedField; name: string; cast: string | null }
  | { kind: 'embed'; embed: EmbedPlan }

export interface EmbedPlan {
  /** The key in the answer's object. */
  name: string
  /** False for an embed without columns, which only filters and has no key. */
  shown: boolean
  /** Rows of the parent without a matching row are dropped. */
  inner: boolean
  relationship: Relationship
  junctionAlias: string
  read: ReadPlan
}

export type PlannedCondition =
  | { kind: 'filter'; field: PlannedField; negated: boolean; test: Test }
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
  /** What the body contains: one object, a list, or nothing to write. */
  body: 'object' | 'list' | 'none'
  missingDefault: boolean
  conflict: { columns: Column[]; merge: boolean } | null
  where: PlannedCondition[]
  /** What is returned; null without `return=representation`. */
  returning: ReadPlan | null
  maxAffected: number | null
}

export interface CallPlan {
  routine: Routine
  /** Taken from the body's JSON (POST) or each from its own value (GET). */
  args: { name: string; type: string; value: Value | null }[]
  /** For functions that return rows with known columns. */
  read: ReadPlan | null
  /** Maximum number of values of a function that returns a set. */
  maxRows: number
  readOnly: boolean
}
