import type { Pool } from 'pg'
import { loadSchema } from './load-schema.ts'
import type { Schema } from './schema.ts'

export interface SchemaCache {
  /** The cached schema. Loads it at the first call, and after the database was migrated or reconnected. */
  current(): Promise<Schema> | Schema
  /** Reloads after an unknown name, unless it was just loaded; null if nothing can have changed. */
  refreshed(): Promise<Schema> | null
}

const missIntervalMs = 3000

/**
 * Caches the catalogue of one schema. Concurrent callers share one load. `generation` increases when the database was
 * migrated or reconnected. A failed load is thrown to all who wait for it; the next call tries again.
 */
export function createSchemaCache(database: { owner: Pool; generation: number }, schemaName: string): SchemaCache {
  let schema: Schema | null = null
  let generation = -1
  let loadedAt = 0
  let loading: Promise<Schema> | null = null

  async function load(): Promise<Schema> {
    const wanted = database.generation
    try {
      const latest = await loadSchema(database.owner, schemaName)
      schema = latest
      generation = wanted
      loadedAt = Date.now()
      return latest
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
    refreshed: () => (Date.now() - loadedAt < missIntervalMs ? null : shared()),
  }
}
