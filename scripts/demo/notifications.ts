import type { SupabaseClient } from '@supabase/supabase-js'

interface Made {
  brandId: string
  ownerId: string
  /** Ids by name (companies, deals). */
  companies: ReadonlyMap<string, string>
  deals: ReadonlyMap<string, string>
}

/**
 * What the owner of the demo finds in the bell: two lines that they have read, and then a mention, a task and a moved deal of colleagues.
 * Throws the server's message for a refusal.
 */
export async function fillDemoNotifications(
  owner: SupabaseClient,
  clientOf: (name: string) => SupabaseClient,
  { brandId, ownerId, companies, deals }: Made,
): Promise<void> {
  const must = async (answer: PromiseLike<{ error: { message: string } | null }>) => {
    const { error } = await answer
    if (error) throw new Error(error.message)
  }
  const read_at = new Date().toISOString()
  await must(owner.from('notifications').update({ read_at }).eq('brand_id', brandId).is('read_at', null))
  const mention = `@[Priya Nair](user:${ownerId})`
  await must(
    clientOf('Bronwen Lloyd')
      .from('notes')
      .insert({
        brand_id: brandId,
        company_id: companies.get('Kestrel Logistics'),
        body: `${mention} they ask whether the **second depot** can be in the same contract. I said you would call.`,
      }),
  )
  await must(
    clientOf('Callum Reid')
      .from('tasks')
      .insert({
        brand_id: brandId,
        title: 'Check the revised terms',
        deal_id: deals.get('Ward equipment framework'),
        assignee_id: ownerId,
      }),
  )
}
