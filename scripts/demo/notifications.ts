import type { SupabaseClient } from '@supabase/supabase-js'

interface DemoRecords {
  brandId: string
  ownerId: string
  /** The ids of companies and deals, by name. */
  companies: ReadonlyMap<string, string>
  deals: ReadonlyMap<string, string>
}

/**
 * Marks all existing notifications of the demo's owner as read, and creates two unread notifications: one colleague mentions the owner, and
 * another colleague assigns a task to the owner. Throws the server's message if the server refuses.
 */
export async function fillDemoNotifications(
  owner: SupabaseClient,
  clientOf: (name: string) => SupabaseClient,
  { brandId, ownerId, companies, deals }: DemoRecords,
): Promise<void> {
  const throwIfRefused = async (response: PromiseLike<{ error: { message: string } | null }>) => {
    const { error } = await response
    if (error) throw new Error(error.message)
  }
  const read_at = new Date().toISOString()
  await throwIfRefused(owner.from('notifications').update({ read_at }).eq('brand_id', brandId).is('read_at', null))
  const mention = `@[Priya Nair](user:${ownerId})`
  await throwIfRefused(
    clientOf('Bronwen Lloyd')
      .from('notes')
      .insert({
        brand_id: brandId,
        company_id: companies.get('Kestrel Logistics'),
        body: `${mention} they ask whether the **second depot** can be in the same contract. I said you would call.`,
      }),
  )
  await throwIfRefused(
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
