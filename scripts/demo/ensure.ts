import type { SupabaseClient } from '@supabase/supabase-js'
import { fillDemoBrand } from './fill.ts'
import { brand, owner } from './records.ts'

const otherPortHint = 'To run the demo on its own server: PORT=3001 npm run demo.'

/**
 * Fills the demo brand, unless a complete one exists. An incomplete demo brand is deleted first. Returns what was done, in a sentence. If the brand cannot be
 * filled, throws an error that says what to do, for example because the server does not allow sign-ups or the password differs.
 */
export async function ensureDemoBrand(connect: () => SupabaseClient): Promise<string> {
  try {
    const client = connect()
    const brands = (await signIn(client)) ? await readDemoBrands(client) : []
    for (const { id, isComplete } of brands)
      if (!isComplete) await client.from('brands').delete().eq('id', id).throwOnError()
    if (brands.some(({ isComplete }) => isComplete)) return 'The running server has the demo brand already'
    await fillDemoBrand(connect)
  } catch (reason) {
    const message = `The demo brand could not be filled: ${(reason as Error).message}. ${otherPortHint}`
    throw new Error(message, { cause: reason })
  }
  return 'The demo brand was added to the running server'
}

/** Signs in as the demo's owner. Returns false if the server refuses. Throws if the server fails. */
async function signIn(client: SupabaseClient): Promise<boolean> {
  const { error } = await client.auth.signInWithPassword({ email: owner.email, password: owner.password })
  if (error && (error.status ?? 500) >= 500) throw error
  return !error
}

/** Returns the owner's brands with the name of the demo, and whether each is complete. Throws if a request fails. */
async function readDemoBrands(client: SupabaseClient): Promise<{ id: string; isComplete: boolean }[]> {
  const { data: brands } = await client.from('brands').select('id').eq('name', brand).throwOnError()
  const demos: { id: string; isComplete: boolean }[] = []
  for (const { id } of brands) {
    // Tasks are written after all other records, so a brand without tasks is incomplete.
    const { data: tasks } = await client.from('tasks').select('id').eq('brand_id', id).limit(1).throwOnError()
    demos.push({ id, isComplete: tasks.length > 0 })
  }
  return demos
}
