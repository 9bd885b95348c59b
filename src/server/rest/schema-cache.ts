import type { Pool } from 'pg'
import { loadSchema } from './load-schema.ts'
import type { Schema } from './schema.ts'

export interface SchemaCache {
  /** Returns the cached schema. Loads it at the first call, and after the database was reconnected. */
  current(): Promise<Schema> | Schema
  /**
   * Reloads the schema, because a request contained an unknown name. Returns null if the schema was loaded so recently that
   * it is not loaded again.
   */
  reload(): Promise<Schema> | null
}

/** Minimum time between two reloads of the schema because of unknown names. */
const reloadIntervalMs = 3000

/**
 * Creates the cache of one schema of the catalogue. Concurrent calls share one load. `generation` increases when the database
 * was reconnected. If a load fails, all calls that wait for it throw, and the next call tries again.
 */
export function createSchemaCache(database: { owner: Pool; generation: number }, schemaName: string): SchemaCache {
  let schema: Schema | null = null
  let generation = -1
  let loadedAt = 0
  let currentLoad: Promise<Schema> | null = null

  async function load(): Promise<Schema> {
    const generationAtStart = database.generation
    try {
      const latest = await loadSchema(database.owner, schemaName)
      schema = latest
      generation = generationAtStart
      loadedAt = Date.now()
      return latest
    } finally {
      currentLoad = null
    }
  }

  function loadShared(): Promise<Schema> {
    currentLoad ??= load()
    return currentLoad
  }

  return {
    current: () => (schema !== null && generation === database.generation ? schema : loadShared()),
    reload: () => (Date.now() - loadedAt < reloadIntervalMs ? null : loadShared()),
  }
}
