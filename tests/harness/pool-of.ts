import { Pool } from 'pg'

/**
 * Creates a connection pool for the database of `url`. A lost connection is no error: `pool.end()` resolves before its connections are closed, so
 * that dropping the database may terminate one of them, and such an error without a listener would end the process.
 */
export function poolOf(url: string | undefined, max = 10): Pool {
  const pool = new Pool({ connectionString: url, max })
  pool.on('error', () => {})
  return pool
}
