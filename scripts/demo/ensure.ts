import type { SupabaseClient } from '@supabase/supabase-js'
import { fillDemoBrand } from './fill.ts'
import { brand, owner } from './records.ts'

const ELSEWHERE = 'The demo can have a server of its own: PORT=3001 npm run demo.'

/**
 * Fills the demo brand unless it is there; one whose filling was cut short is made anew. Returns what was found or done. Throws,
 * with what to do, where the server takes no sign-ups or another password is set.
 */
export async function ensureDemoBrand(connect: () => SupabaseClient): Promise<'filled' | 'filled already'> {
  const client = connect()
  const { error } = await client.auth.signInWithPassword({ email: owner.email, password: owner.password })
  if (!error) {
    const { data: brands } = await client.from('brands').select('id').eq('name', brand)
    for (const { id } of brands ?? []) {
      // Tasks are written last.
      const { data: tasks } = await client.from('tasks').select('id').eq('brand_id', id).limit(1)
      if (tasks?.length) return 'filled already'
      await client.from('brands').delete().eq('id', id)
    }
  }
  try {
    await fillDemoBrand(connect)
  } catch (reason) {
    const message = `The demo brand could not be filled: ${(reason as Error).message}. ${ELSEWHERE}`
    throw new Error(message, { cause: reason })
  }
  return 'filled'
}
