import { ownerPool } from '#tests/harness/test-cluster.ts'

const templateDatabases = ['banyan_product', 'banyan_platform']

/**
 * Runs `work` while a function of the template databases has the definition `to`. Then restores `from`. Returns null if
 * PostgreSQL refuses the definition.
 */
export async function withChangedFunction<T>(
  socket: string,
  signature: string,
  { from, to }: { from: string; to: string },
  work: () => Promise<T>,
): Promise<T | null> {
  const changedTemplates: string[] = []
  try {
    for (const template of templateDatabases) {
      const outcome = await define(socket, template, signature, to)
      if (outcome === 'refused') return null
      if (outcome === 'done') changedTemplates.push(template)
    }
    return await work()
  } finally {
    for (const template of changedTemplates) await define(socket, template, signature, from)
  }
}

async function define(socket: string, template: string, signature: string, text: string) {
  const pool = ownerPool(socket, template, 1)
  try {
    const { rowCount } = await pool.query(
      `select from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' = $1`,
      [signature],
    )
    if (!rowCount) return 'absent'
    await pool.query(text)
    return 'done'
  } catch {
    return 'refused'
  } finally {
    // A template with an open connection cannot be copied.
    await pool.end()
  }
}
