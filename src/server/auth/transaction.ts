import type pg from 'pg'

/** Runs `work` on one connection inside a transaction. Rolls back if `work` throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let rollbackError: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is not returned to the pool.
    await client.query('rollback').catch((reason: Error) => {
      rollbackError = reason
    })
    throw error
  } finally {
    client.release(rollbackError)
  }
}
