import type { Pool } from 'pg'
import { loadSchema } from './load-schema.ts'

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

export interface SchemaCache {
  /** The schema as last loaded; loads where none is, or where the database has been migrated or reconnected since. */
  current(): Promise<Schema> | Schema
  /** After an unknown name: loads anew unless that was done a moment ago; null where nothing could have changed. */
  refreshed(): Promise<Schema> | null
}

const MISS_INTERVAL_MS = 3000

/**
 * Keeps the catalogue of one schema in memory. Concurrent callers share one load. `generation` rises when the database
 * was migrated or reconnected. A failed load is thrown to those who wait for it and tried again by the next one.
 */
export function createSchemaCache(database: { owner: Pool; generation: number }, schemaName: string): SchemaCache {
  let schema: Schema | null = null
  let generation = -1
  let loadedAt = 0
  let loading: Promise<Schema> | null = null

  async function load(): Promise<Schema> {
    const wanted = database.generation
    try {
      const loaded = await loadSchema(database.owner, schemaName)
      schema = loaded
      generation = wanted
      loadedAt = Date.now()
      return loaded
    } finally {
      loading = null
    }
  }

  function shared(): Promise<Schema> {
    loading ??= load()
    return loading
  }

  return {
    current: () => (schema !== null && generation === database.generation ? schema : shared()),
    refreshed: () => (Date.now() - loadedAt < MISS_INTERVAL_MS ? null : shared()),
  }
}
