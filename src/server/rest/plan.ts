import type { Test, JsonStep, OrderTerm } from './request.ts'
import type { Column, Relation, Relationship, Routine } from './schema.ts'
import type { Value } from './request.ts'

/** A request checked against the schema: every name in it is the catalogue's own, or an alias to be quoted. */
export interface ReadPlan {
  relation: Relation
  /** Name of the row source inside the statement: `t0` at the root, `t1`… embedded. */
  alias: string
  outputs: Output[]
  where: PlannedCondition[]
  order: PlannedOrder[]
  /** Rows at most; null = all (the rows that a write returns). */
  limit: number | null
  /** Whether rows are skipped; how many stands in the offset slot at the root, in the plan below it. */
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
  /** Key in the answer's object. */
  name: string
  /** Without columns an embed only filters: it has no key. */
  shown: boolean
  /** Rows of the parent without a partner are dropped. */
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
  /** How many rows the body holds: one object, a list, or nothing to write at all. */
  body: 'object' | 'list' | 'none'
  missingDefault: boolean
  conflict: { columns: Column[]; merge: boolean } | null
  where: PlannedCondition[]
  /** What is read back; null without `return=representation`. */
  returning: ReadPlan | null
  maxAffected: number | null
}

export interface CallPlan {
  routine: Routine
  /** By the body's JSON (POST) or each by its own value (GET). */
  args: { name: string; type: string; value: Value | null }[]
  /** For functions that return rows of known columns. */
  read: ReadPlan | null
  /** Values at most, where a function returns a set of them. */
  maxRows: number
  readOnly: boolean
}
