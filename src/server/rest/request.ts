/**
 * The content of a request as plain data: the parsers produce it, the planner checks it against the schema, the SQL
 * builder writes it. Values are in the request's slots instead, so that one plan serves every request of its shape.
 */

/** The slots of the offset and of the body's text. Filter values follow. */
export const offsetSlot = 0
export const bodySlot = 1

/**
 * One value of a statement: a slot of the request (number) or a constant of the plan (string). `list` is the text
 * between `in` parentheses, which becomes an array; `pattern` has `*` for `%`.
 */
export interface Value {
  from: number | string
  as: 'text' | 'list' | 'pattern'
  /** Put in front of the slot's text, if what looked like an operator was part of an argument. */
  prefix?: string
}

export interface JsonStep {
  arrow: '->' | '->>'
  /** A number is an index of an array. */
  key: string | number
}

/** A column, or a path inside a JSON column. */
export interface Field {
  column: string
  path: readonly JsonStep[]
}

export type Test =
  | { kind: 'compare'; operator: string; quantifier: 'any' | 'all' | null; value: Value }
  | { kind: 'in'; value: Value }
  | { kind: 'is'; what: 'null' | 'not null' | 'true' | 'false' | 'unknown' }
  | { kind: 'search'; parse: string; language: string | null; value: Value }

export interface Filter {
  kind: 'filter'
  field: Field
  negated: boolean
  test: Test
}

export interface Logic {
  kind: 'and' | 'or'
  negated: boolean
  terms: Condition[]
}

export type Condition = Filter | Logic

export type SelectItem =
  | { kind: 'all' }
  | { kind: 'field'; field: Field; alias: string | null; cast: string | null }
  | { kind: 'embed'; target: string; alias: string | null; hint: string | null; inner: boolean; items: SelectItem[] }

export type EmbedItem = Extract<SelectItem, { kind: 'embed' }>

export interface OrderTerm {
  /** The embedded resource of the column, for `order=author(name)`. */
  relation: string | null
  field: Field
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

/** The parameters of one level: the resource itself (empty path) or an embedded one. */
export interface Level {
  conditions: Condition[]
  order: OrderTerm[]
  limit: number | null
  offset: number
}

export interface Query {
  select: SelectItem[]
  levels: Map<string, Level>
  columns: string[] | null
  onConflict: string[] | null
  /** Parameters without an operator: arguments of a function called by GET. */
  args: { name: string; value: Value }[]
}

export interface Preferences {
  representation: boolean
  count: boolean
  resolution: 'merge' | 'ignore' | null
  missingDefault: boolean
  maxAffected: number | null
  /** The applied ones, for `Preference-Applied`. */
  applied: string
}

export interface Accept {
  /** `vnd.pgrst.object`: exactly one row, as an object. */
  single: boolean
  stripNulls: boolean
  contentType: string
}

export interface Body {
  kind: 'none' | 'object' | 'array'
  /** The keys of the object, or the common keys of all objects of the list. */
  keys: string[]
}
