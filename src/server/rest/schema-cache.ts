import type { Pool } from 'pg'
import { loadSchema } from './load-schema.ts'
import type { Schema } from './schema.ts'

export interface SchemaCache {
  /** The schema as last loaded; loads where none is, or where the database has been migrated or reconnected since. */
  current(): Promise<Schema> | Schema
  /** After an unknown name: loads anew unless that was done a moment ago; null where nothing could have changed. */
  refreshed(): Promise<Schema> | null
}

const missIntervalMs = 3000

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
    refreshed: () => (Date.now() - loadedAt < missIntervalMs ? null : shared()),
  }
}
