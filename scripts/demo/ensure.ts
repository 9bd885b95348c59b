import type { SupabaseClient } from '@supabase/supabase-js'
import { fillDemoBrand } from './fill.ts'
import { brand, owner } from './records.ts'

const otherPortHint = 'The demo can have a server of its own: PORT=3001 npm run demo.'

/**
 * Fills the demo brand unless it exists; an incomplete one is deleted and filled again. Returns what it did. Throws,
 * with what to do, if the server does not allow sign-ups or the password differs.
 */
export async function ensureDemoBrand(connect: () => SupabaseClient): Promise<'filled' | 'filled already'> {
  try {
    if (await isFilled(connect())) return 'filled already'
    await fillDemoBrand(connect)
  } catch (reason) {
    const message = `The demo brand could not be filled: ${(reason as Error).message}. ${otherPortHint}`
    throw new Error(message, { cause: reason })
  }
  return 'filled'
}

/** Deletes an incomplete brand. Throws if the server does not return the brand's content. */
async function isFilled(client: SupabaseClient): Promise<boolean> {
  const { error } = await client.auth.signInWithPassword({ email: owner.email, password: owner.password })
  if (error && (error.status ?? 500) >= 500) throw error
  if (error) return false
  const { data: brands } = await client.from('brands').select('id').eq('name', brand).throwOnError()
  for (const { id } of brands) {
    // Tasks are written last.
    const { data: tasks } = await client.from('tasks').select('id').eq('brand_id', id).limit(1).throwOnError()
    if (tasks.length > 0) return true
    await client.from('brands').delete().eq('id', id).throwOnError()
  }
  return false
}
