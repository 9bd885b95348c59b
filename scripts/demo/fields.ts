import type { SupabaseClient } from '@supabase/supabase-js'

interface DemoRecords {
  brandId: string
  /** The ids of companies and deals by name, and of contacts by e-mail address. */
  companies: ReadonlyMap<string, string>
  contacts: ReadonlyMap<string, string>
  deals: ReadonlyMap<string, string>
}

/** Defines the demo's custom fields and fills them for two thirds of the records. Throws the server's message if the server refuses. */
export async function fillDemoFields(client: SupabaseClient, records: DemoRecords, today: Date): Promise<void> {
  const defineField = async (table: string, label: string, type: string, options: Record<string, unknown> = {}) => {
    const id = crypto.randomUUID()
    const { error } = await client
      .from('custom_fields')
      .insert({ brand_id: records.brandId, id, table, label, type, ...options })
    if (error) throw new Error(error.message)
    return id
  }
  const tier = await defineField('companies', 'Tier', 'choice', { options: ['Key account', 'Standard', 'Small'] })
  const renewal = await defineField('companies', 'Contract renewal', 'date')
  const languages = await defineField('contacts', 'Languages', 'choices', {
    options: ['English', 'German', 'Dutch', 'Japanese'],
  })
  const newsletter = await defineField('contacts', 'Newsletter', 'yes_no')
  const source = await defineField('deals', 'Source', 'choice', {
    options: ['Referral', 'Trade fair', 'Website', 'Cold call'],
  })
  const margin = await defineField('deals', 'Margin in %', 'number')
  const isoDay = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const valueAt = <Value>(values: readonly Value[], index: number) => values[index % values.length]
  const fill = async (table: string, ids: Iterable<string>, customAt: (index: number) => Record<string, unknown>) => {
    let index = 0
    for (const id of ids) {
      // A third of the records gets no values, as in real data.
      if (index % 3 !== 2) {
        const update = client.from(table).update({ custom: customAt(index) })
        const { error } = await update.eq('brand_id', records.brandId).eq('id', id)
        if (error) throw new Error(error.message)
      }
      index += 1
    }
  }
  await fill('companies', records.companies.values(), (index) => ({
    [tier]: valueAt(['Key account', 'Standard', 'Small', 'Standard'], index),
    [renewal]: isoDay(30 + index * 17),
  }))
  await fill('contacts', records.contacts.values(), (index) => ({
    [languages]: valueAt([['English'], ['English', 'German'], ['English', 'Dutch'], ['English', 'Japanese']], index),
    [newsletter]: index % 2 === 0,
  }))
  await fill('deals', records.deals.values(), (index) => ({
    [source]: valueAt(['Referral', 'Website', 'Trade fair', 'Cold call'], index),
    [margin]: valueAt([12, 18.5, 22, 9.5, 31], index),
  }))
}
