/**
 * The types of a parsed query and its headers. The parsers create them, the planner checks them against the schema, and the
 * SQL builder converts the plan into SQL. The values themselves are in the request's slots, so that all requests of the same
 * shape can use the same plan.
 */

/**
 * The indexes of the two slots that contain the offset and the text of the body. The slots of filter values follow.
 */
export const offsetSlot = 0
export const bodySlot = 1

/**
 * A value of a statement. `from` is the index of a slot (`SplitQuery.slots`), or a constant text of the plan. `as`
 * says how to convert the text: a `list` is the text of `in.(…)`, which becomes an array; in a `pattern`, each `*` becomes
 * `%`.
 */
export interface Value {
  from: number | string
  as: 'text' | 'list' | 'pattern'
  /**
   * The start of a function's argument that looks like an operator: `eq.` of the argument `eq.5`. The slot contains only the
   * rest of the argument. SQL gets `prefix` and the rest as one text.
   */
  prefix?: string
}

export interface JsonStep {
  arrow: '->' | '->>'
  /** The key of an object (string), or the index of an array (number). */
  key: string | number
}

/** A column, or a path inside a JSON column. */
export interface Field {
  column: string
  path: readonly JsonStep[]
}

export type FilterTest =
  | { kind: 'compare'; operator: string; quantifier: 'any' | 'all' | null; value: Value }
  | { kind: 'in'; value: Value }
  | { kind: 'is'; what: 'null' | 'not null' | 'true' | 'false' | 'unknown' }
  | { kind: 'search'; sqlFunction: string; language: string | null; value: Value }

export interface Filter {
  kind: 'filter'
  field: Field
  negated: boolean
  test: FilterTest
}

export interface LogicTree {
  kind: 'and' | 'or'
  negated: boolean
  terms: Condition[]
}

export type Condition = Filter | LogicTree

export type SelectItem =
  | { kind: 'all' }
  | { kind: 'field'; field: Field; alias: string | null; cast: string | null }
  | { kind: 'embed'; target: string; alias: string | null; hint: string | null; isInner: boolean; items: SelectItem[] }

export type EmbedItem = Extract<SelectItem, { kind: 'embed' }>

export interface OrderTerm {
  /**
   * The embedded resource whose column orders the rows, as in `order=author(name)`. Null: the column belongs to the level
   * itself.
   */
  relation: string | null
  field: Field
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

/** The parameters of one level: of the requested resource itself (empty path), or of an embedded resource. */
export interface Level {
  conditions: Condition[]
  order: OrderTerm[]
  limit: number | null
  offset: number
}

export interface Query {
  select: SelectItem[]
  /** The levels of the query, by their path (see `levelKey`). */
  levels: Map<string, Level>
  columns: string[] | null
  onConflict: string[] | null
  /** The arguments of a function that is called by GET or HEAD. */
  args: { name: string; value: Value }[]
}

/** The preferences of the header `Prefer`. */
export interface Preferences {
  /** Whether a write returns the written rows (`return=representation`). */
  returnsRows: boolean
  /** Whether all matching rows are counted (`count`). */
  count: boolean
  /** Whether an upsert changes existing rows or ignores them (`resolution`). Null: the insert is no upsert. */
  resolution: 'merge' | 'ignore' | null
  /** Whether columns that an inserted object lacks get their default values (`missing=default`) instead of null. */
  missingDefault: boolean
  /** Maximum number of rows that a write may affect (`max-affected`). Null: no maximum. */
  maxAffected: number | null
  /** The applied preferences as text for the header `Preference-Applied`. */
  applied: string
}

export interface AcceptedFormat {
  /** Whether exactly one row is wanted, as a JSON object (`vnd.pgrst.object`). */
  isSingle: boolean
  /** Whether keys with the value null are left out of the rows (`nulls=stripped`). */
  stripNulls: boolean
  contentType: string
}

export interface Body {
  kind: 'none' | 'object' | 'list'
  /** The keys of the object, or the common keys of all objects of the list. If the parameter `columns` is given: its names. */
  keys: string[]
}
