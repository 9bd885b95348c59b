import type { SupabaseClient } from '@supabase/supabase-js'
import { fillDemoFields } from './fields.ts'
import { notes } from './notes.ts'
import { fillDemoNotifications } from './notifications.ts'
import { brand, colleagues, companies, contacts, deals, moves, owner, tags, tasks } from './records.ts'
import { furtherContacts, lostReasons, stageFacts } from './stages.ts'

const dayMs = 86_400_000

/** The part of PostgREST's response that says whether a write succeeded. */
type WriteResponse = PromiseLike<{ error: { message: string } | null }>

/**
 * Signs up the demo's people and fills their brand through the public API. `connect` creates a client for each person.
 * Dates are relative to `today`. Returns the brand's id. Throws the server's message if the server refuses.
 */
export async function fillDemoBrand(connect: () => SupabaseClient, today = new Date()): Promise<string> {
  const team: { name: string; client: SupabaseClient; userId: string }[] = []
  for (const { email, name } of colleagues) {
    const client = connect()
    team.push({ name, client, userId: await signUp(client, email) })
  }
  const client = connect()
  team.unshift({ name: owner.name, client, userId: await signUp(client, owner.email) })
  /** Returns the user id of the owner of a record, or of the assignee of a task, by its position: the people take turns. */
  const personAt = (index: number) => team[index % team.length]?.userId ?? null

  const brandId = crypto.randomUUID()
  await throwIfRefused(client.from('brands').insert({ id: brandId, name: brand, slug: 'harbour-co' }))
  for (const { email, role } of colleagues) {
    await throwIfRefused(client.rpc('add_brand_member_by_email', { p_brand_id: brandId, p_email: email, p_role: role }))
  }
  for (const { name, client: personClient, userId } of team) {
    await throwIfRefused(
      personClient.from('memberships').update({ display_name: name }).eq('brand_id', brandId).eq('user_id', userId),
    )
  }

  const companyIds = new Map(companies.map(([name]) => [name, crypto.randomUUID()]))
  const contactIds = new Map(contacts.map((row) => [row[3], crypto.randomUUID()]))
  const dealIds = new Map<string, string>()

  const tagIds = new Map(tags.map(([name]) => [name, crypto.randomUUID()]))
  const tagIdsOf = (...keys: (string | null | undefined)[]) =>
    tags.flatMap(([name, , tagged]) => (keys.some((key) => key && tagged.includes(key)) ? [tagIds.get(name)] : []))
  await throwIfRefused(
    client.from('tags').insert(tags.map(([name, color]) => ({ id: tagIds.get(name), brand_id: brandId, name, color }))),
  )
  await throwIfRefused(
    client.from('companies').insert(
      companies.map(([name, website, phone, notes], index) => ({
        id: companyIds.get(name),
        brand_id: brandId,
        name,
        domain: website?.replace(/^www\./, '') ?? null,
        website: website === null ? null : `https://${website}`,
        phone,
        notes,
        owner_id: personAt(index),
        tag_ids: tagIdsOf(name),
      })),
    ),
  )
  await throwIfRefused(
    client.from('contacts').insert(
      contacts.map(([first, last, company, email, title, phone], index) => ({
        id: contactIds.get(email),
        brand_id: brandId,
        first_name: first || null,
        last_name: last || null,
        email,
        title,
        phone,
        company_id: company === null ? null : companyIds.get(company),
        owner_id: personAt(index),
        tag_ids: tagIdsOf(email, company),
      })),
    ),
  )

  const { data: stages, error } = await client.from('deal_stages').select('id, name').eq('brand_id', brandId)
  if (error) throw new Error(error.message)
  const stageIds = new Map((stages as { id: string; name: string }[]).map(({ id, name }) => [name, id]))
  for (const [name, facts] of Object.entries(stageFacts))
    await throwIfRefused(
      client
        .from('deal_stages')
        .update(facts)
        .eq('brand_id', brandId)
        .eq('id', stageIds.get(name) ?? ''),
    )
  for (const stage of stageIds.keys()) {
    // The board shows the newest deal first. So the deals are inserted in reverse order, and each column shows them in the order of the list.
    for (const [name, amount, currency, company, contact, days] of (deals[stage] ?? []).toReversed()) {
      const id = crypto.randomUUID()
      dealIds.set(name, id)
      await throwIfRefused(
        client.from('deals').insert({
          id,
          brand_id: brandId,
          name,
          amount,
          amount_currency: currency,
          stage_id: stageIds.get(moves.find(([moved]) => moved === name)?.[1] ?? stage),
          expected_close_date: days === null ? null : isoDate(today, days),
          contact_id: contact === null ? null : contactIds.get(contact),
          company_id: company === null ? null : companyIds.get(company),
          owner_id: personAt(dealIds.size),
          lost_reason: lostReasons[name] ?? null,
          tag_ids: tagIdsOf(name),
        }),
      )
    }
  }

  for (const [deal, , to, by] of moves) {
    const moverClient = team.find(({ name }) => name === by)?.client ?? client
    await throwIfRefused(
      moverClient
        .from('deals')
        .update({ stage_id: stageIds.get(to) })
        .eq('id', dealIds.get(deal) ?? ''),
    )
  }

  for (const { kind, when, by, contact, company, deal, pinned = false, body } of notes) {
    const authorClient = team.find(({ name }) => name === by)?.client ?? client
    await throwIfRefused(
      authorClient.from('notes').insert({
        brand_id: brandId,
        kind,
        body,
        pinned,
        occurred_at: isoTime(today, -when[0], when[1]),
        contact_id: contactIds.get(contact ?? '') ?? null,
        company_id: companyIds.get(company ?? '') ?? null,
        deal_id: dealIds.get(deal ?? '') ?? null,
      }),
    )
  }

  await throwIfRefused(
    client.from('deal_contacts').insert(
      furtherContacts.map(([deal, contact, role]) => ({
        brand_id: brandId,
        deal_id: dealIds.get(deal),
        contact_id: contactIds.get(contact),
        role,
      })),
    ),
  )

  const taskRows = tasks.map(([title, priority, due, contact, deal, done, repeats], index) => ({
    id: crypto.randomUUID(),
    brand_id: brandId,
    title,
    priority,
    due_at: due === null ? null : isoTime(today, due[0], due[1]),
    status: done ? 'done' : 'open',
    contact_id: contact === null ? null : contactIds.get(contact),
    deal_id: deal === null ? null : dealIds.get(deal),
    assignee_id: personAt(index),
    repeats: repeats ?? null,
  }))
  await throwIfRefused(client.from('tasks').insert(taskRows))
  await fillDemoFields(client, { brandId, companies: companyIds, contacts: contactIds, deals: dealIds }, today)
  const clientOf = (name: string) => team.find((person) => person.name === name)?.client ?? client
  const createdRecords = { brandId, ownerId: team[0]?.userId ?? '', companies: companyIds, deals: dealIds }
  await fillDemoNotifications(client, clientOf, createdRecords)
  return brandId
}

/**
 * Signs the person up, or signs them in if an interrupted run has already created the account. Returns the user id. Throws if the server
 * refuses, if the account has another password, or if the server waits until the e-mail address is confirmed.
 */
async function signUp(client: SupabaseClient, email: string): Promise<string> {
  const { password } = owner
  const { data, error } = await client.auth.signUp({ email, password })
  if (error?.code === 'user_already_exists') {
    const { data: existingAccount, error: signInError } = await client.auth.signInWithPassword({ email, password })
    if (signInError) throw new Error(`the account ${email} exists with another password`)
    return existingAccount.user.id
  }
  if (error || !data.user) throw new Error(`${email}: ${error?.message ?? 'no account'}`)
  if (!data.session) throw new Error(`the server waits for the link that was mailed to ${email} (EMAIL_CONFIRMATION)`)
  return data.user.id
}

async function throwIfRefused(response: WriteResponse) {
  const { error } = await response
  if (error) throw new Error(error.message)
}

function isoDate(today: Date, days: number) {
  return new Date(today.getTime() + days * dayMs).toISOString().slice(0, 10)
}

function isoTime(today: Date, days: number, hour: number) {
  const time = new Date(today.getTime() + days * dayMs)
  time.setHours(hour, 0, 0, 0)
  return time.toISOString()
}
