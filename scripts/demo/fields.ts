import type { SupabaseClient } from '@supabase/supabase-js'

interface Made {
  brandId: string
  /** Ids by name (companies, deals) or address (contacts). */
  companies: ReadonlyMap<string, string>
  contacts: ReadonlyMap<string, string>
  deals: ReadonlyMap<string, string>
}

/** The demo's custom fields: what a trade keeps of its records, with some of them filled. Throws the server's message for a refusal. */
export async function fillDemoFields(client: SupabaseClient, made: Made, today: Date): Promise<void> {
  const define = async (table: string, label: string, type: string, more: Record<string, unknown> = {}) => {
    const id = crypto.randomUUID()
    const { error } = await client
      .from('custom_fields')
      .insert({ brand_id: made.brandId, id, table, label, type, ...more })
    if (error) throw new Error(error.message)
    return id
  }
  const tier = await define('companies', 'Tier', 'choice', { options: ['Key account', 'Standard', 'Small'] })
  const renewal = await define('companies', 'Contract renewal', 'date')
  const languages = await define('contacts', 'Languages', 'choices', {
    options: ['English', 'German', 'Dutch', 'Japanese'],
  })
  const newsletter = await define('contacts', 'Newsletter', 'yes_no')
  const source = await define('deals', 'Source', 'choice', {
    options: ['Referral', 'Trade fair', 'Website', 'Cold call'],
  })
  const margin = await define('deals', 'Margin in %', 'number')
  const day = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const turn = <Value>(values: readonly Value[], place: number) => values[place % values.length]
  const fill = async (table: string, ids: Iterable<string>, customAt: (place: number) => Record<string, unknown>) => {
    let place = 0
    for (const id of ids) {
      // Some are not filled in yet, as in life.
      if (place % 3 !== 2) {
        const change = client.from(table).update({ custom: customAt(place) })
        const { error } = await change.eq('brand_id', made.brandId).eq('id', id)
        if (error) throw new Error(error.message)
      }
      place += 1
    }
  }
  await fill('companies', made.companies.values(), (place) => ({
    [tier]: turn(['Key account', 'Standard', 'Small', 'Standard'], place),
    [renewal]: day(30 + place * 17),
  }))
  await fill('contacts', made.contacts.values(), (place) => ({
    [languages]: turn([['English'], ['English', 'German'], ['English', 'Dutch'], ['English', 'Japanese']], place),
    [newsletter]: place % 2 === 0,
  }))
  await fill('deals', made.deals.values(), (place) => ({
    [source]: turn(['Referral', 'Website', 'Trade fair', 'Cold call'], place),
    [margin]: turn([12, 18.5, 22, 9.5, 31], place),
  }))
}
