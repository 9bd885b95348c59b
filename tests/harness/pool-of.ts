import { Pool } from 'pg'

/**
 * Creates a connection pool for the database of `url`. Ignores lost connections: `pool.end()` resolves before its connections are closed, so dropping
 * the database may terminate one of them. Without a listener, that error would end the process.
 */
export function poolOf(url: string | undefined, max = 10): Pool {
  const pool = new Pool({ connectionString: url, max })
  pool.on('error', () => {})
  return pool
}
