import { limits } from '#shared/limits.ts'
import { syncedTables } from '#shared/synced-tables.ts'

/** Tables of records whose rows need only a name. */
export const plainTables = syncedTables.filter(
  (table) =>
    !['brands', 'memberships', 'deal_stages', 'contacts', 'deals', 'notes', 'deal_contacts', 'custom_fields'].includes(
      table,
    ),
)

/** Returns the name of the column that contains the name of a row. */
export function nameColumn(table: string): 'name' | 'title' {
  return table in limits && 'title' in limits[table as keyof typeof limits] ? 'title' : 'name'
}

/** The ids of a brand's records that attempts need. */
export interface Records {
  brand: string
  /** A member who is neither the caller nor an owner. */
  other: string
  stage: string
  emptyStage: string
  contact: string
  deal: string
  note: string
  /** For each of `plainTables`, the id of one of its rows. */
  rows: Readonly<Record<string, string>>
  invitation: string
  importId: string
  /** A second tag. */
  tag: string
  /** A row of `deal_contacts`. */
  dealContact: string
  /** A contact that does not belong to the deal. */
  otherContact: string
  field: string
}

/** The ids that depend on the caller of a statement, and the id of an outsider. */
export interface CallerIds {
  id: string
  /** Another session of the same person, at aal2. */
  otherSession: string
  /** A person who belongs to no brand. */
  outsider: string
}

export interface Attempt {
  /** Table and command, or the function. */
  what: string
  /** The variant of the command. '' means: without RETURNING, and with a filter if the command can have one. */
  way: string
  text: string
  values: unknown[]
  /** What counts as success: returned rows of the brand, changed rows of it, or any row. */
  counts: 'read' | 'changed' | 'any'
}

/** The arguments of functions that concern the caller, not a brand. Every signed-in user may call these functions. */
export const personalCalls: Readonly<Record<string, (callerIds: CallerIds) => string>> = {
  accept_invitation_link: () => `'0123'`,
  accept_invitations: () => '',
  brands_behind_second_factor: () => '',
  calendar_feed: () => '',
  capabilities: () => '',
  delete_my_account: () => '',
  end_calendar_feed: () => '',
  end_other_sessions: () => '',
  end_session: ({ otherSession }) => `'${otherSession}'`,
  export_my_data: () => '',
  make_calendar_feed: () => '',
  my_sessions: () => '',
  notification_settings: () => '',
  remove_push_subscription: () => `'https://push.example/a'`,
  save_push_subscription: () => `'https://push.example/a', '${'A'.repeat(87)}', '${'a'.repeat(22)}'`,
  set_notification_settings: () => `'Europe/London'`,
  set_pushed_kind: () => `'mentioned', false`,
  unopened_brands: () => '',
  last_unopened_brands: () => '',
}

/** Returns all attempts on one table: each command in each variant that a client can send. */
export function tableAttempts(table: string, records: Records, callerIds: CallerIds): Attempt[] {
  const target = targets(records, callerIds)[table] ?? unknownTable(records)
  const { where, set, insert, values, known } = target
  const from = `public.${table}`
  const selection = (way: string, filter: string): Attempt => ({
    what: `${table} select`,
    way,
    text: `select * from ${from}${filter}`,
    values: filter === '' ? [] : values,
    counts: 'read',
  })
  const insertion = (command: string, way: string, text: string) =>
    withReturning({ what: `${table} ${command}`, way, text: `insert into ${from} ${text}`, values: [], counts: 'any' })
  const attempts = [
    selection('', ` where ${where}`),
    selection('unfiltered', ''),
    ...insertion('insert', '', insert),
    ...insertion('upsert', '', `${known} do update set ${target.merge}`),
    ...insertion('upsert', 'ignoring', `${known} do nothing`),
    ...insertion('upsert', 'new', `${target.fresh} do update set ${target.merge}`),
    ...changes(`${table} update`, `update ${from} set ${set}`, where, values),
    ...changes(`${table} delete`, `delete from ${from}`, where, values),
  ]
  if (table !== 'memberships') return attempts
  const ownMembership = [records.brand, callerIds.id]
  return [
    ...attempts,
    ...changes(`${table} rename`, `update ${from} set display_name = 'Other'`, where, ownMembership),
    ...changes(`${table} leave`, `delete from ${from}`, where, ownMembership).filter(
      ({ way }) => !way.includes('unfiltered'),
    ),
  ]
}

/** Returns the attempt to call a function with valid arguments. */
export function functionAttempt(name: string, records: Records, callerIds: CallerIds): Attempt {
  const { brand, other, stage, emptyStage, contact, rows, invitation, importId, tag } = records
  const calls: Record<string, string> = {
    add_brand_member_by_email: `$1, 'gus@example.com', 'member'`,
    list_brand_members: '$1',
    open_brand: '$1',
    give_up_unopened_brand: '$1',
    invite_member: `$1, 'late@example.com'`,
    make_invitation_link: `$1, 'late@example.com'`,
    resend_invitation: `$1, '${invitation}'`,
    withdraw_invitation: `$1, '${invitation}'`,
    hand_over_brand: `$1, '${other}'`,
    member_records: `$1, '${other}'`,
    remove_member: `$1, '${other}'`,
    clear_brand: '$1',
    release_records: `$1, '${other}'`,
    require_second_factor: '$1, true',
    audit_log: '$1',
    begin_import: '$1, gen_random_uuid()',
    end_import: `$1, '${importId}', true, 1, 0`,
    upsert_contact: `$1, 'new@example.com', 'New', null, 'Newco'`,
    add_company: `$1, 'Newco'`,
    add_contact_by_phone: `$1, '0100', 'New', null, null, 'Newco'`,
    quick_create_deal: `$1, 'New Deal', '${stage}'`,
    record_deletion: `$1, 'tasks', '${rows.tasks}'`,
    restore_records: `$1, 'tasks', array['${rows.tasks}']::uuid[]`,
    pull: '$1',
    board: '$1',
    dashboard: '$1',
    company_figures: `$1, array['${rows.companies}']::uuid[]`,
    former_members: `$1, array['${rows.companies}']::uuid[]`,
    search_contacts: `$1, 'zoe'`,
    search_companies: `$1, 'bor'`,
    search_deals: `$1, 'mig'`,
    search_notes: `$1, '{"table": "contacts", "search": "secret"}'`,
    read_queries: `$1, '[{"table": "deals", "sums": true}]'`,
    import_contacts: `$1, gen_random_uuid(), '[{"row": 2, "email": "new@example.com"}]'`,
    read_imports: '$1',
    change_matching: `$1, '{"table": "companies"}', '{"owner_id": null}'`,
    undo_import: `$1, '${importId}'`,
    import_changes: `$1, '${importId}'`,
    preview_import: `$1, '[{"row": 2, "email": "new@example.com"}]'`,
    upsert_tag: `$1, 'New'`,
    tag_counts: '$1',
    merge_tags: `$1, '${rows.tags}', '${tag}'`,
    timeline: `$1, 'contacts', '${contact}'`,
    restore_moved: `$1, 'tags', array['${rows.tags}']::uuid[]`,
    set_positions: `$1, 'deal_stages', array['${emptyStage}', '${stage}']::uuid[]`,
    delete_deal_stage: `$1, '${stage}', '${emptyStage}'`,
    delete_pipeline: `$1, '${rows.pipelines}'`,
    clear_deal_stage: `$1, '${stage}', '${emptyStage}'`,
    clear_pipeline: `$1, '${rows.pipelines}'`,
    apply_stage_kind: `$1, '${stage}', 'won'`,
  }
  const common = { what: `${name}()`, way: '', counts: 'any' } as const
  const personal = Object.hasOwn(personalCalls, name) ? personalCalls[name] : undefined
  if (personal !== undefined)
    return { ...common, text: `select * from public.${name}(${personal(callerIds)})`, values: [] }
  // An unlisted function fails with "function does not exist", which differs from the expected table.
  return { ...common, text: `select * from public.${name}(${calls[name] ?? '$1::uuid, null::point'})`, values: [brand] }
}

interface Target {
  where: string
  values: unknown[]
  set: string
  /** The columns and values of a new row. */
  insert: string
  /** An insert with the key of an existing row, up to `on conflict (…)`. */
  known: string
  /** An insert with a new key, up to `on conflict (…)`. */
  fresh: string
  /** The assignment after `do update set`. */
  merge: string
}

function changes(what: string, verb: string, where: string, values: unknown[]): Attempt[] {
  return [
    ...withReturning({ what, way: '', text: `${verb} where ${where}`, values, counts: 'changed' }),
    ...withReturning({ what, way: 'unfiltered', text: verb, values: [], counts: 'changed' }),
  ]
}

function withReturning(attempt: Attempt): Attempt[] {
  const way = [attempt.way, 'returning'].filter((word) => word !== '').join(' ')
  return [attempt, { ...attempt, way, text: `${attempt.text} returning *` }]
}

/** Returns the target for a table that `targets` does not describe. */
function unknownTable({ brand }: Records): Target {
  const insert = 'default values'
  return {
    where: 'brand_id = $1',
    values: [brand],
    set: 'brand_id = brand_id',
    insert,
    known: `${insert} on conflict`,
    fresh: `${insert} on conflict`,
    merge: 'brand_id = excluded.brand_id',
  }
}

function targets(records: Records, { outsider }: CallerIds): Record<string, Target> {
  const { brand, other, stage, emptyStage, contact, deal, note, rows, invitation, dealContact, otherContact, field } =
    records
  /** Describes a table with the key (brand_id, id). `columns` and `row`: the other columns and values of an insert. */
  const targetOf = (id: string, column: string, columns: string, row: string): Target => {
    const insertOf = (key: string) => `(brand_id, id, ${columns}) values ('${brand}', ${key}, ${row})`
    return {
      where: 'brand_id = $1 and id = $2',
      values: [brand, id],
      set: `${column} = '${column === 'role' ? 'admin' : 'Other'}'`,
      insert: `(brand_id, ${columns}) values ('${brand}', ${row})`,
      known: `${insertOf(`'${id}'`)} on conflict (brand_id, id)`,
      fresh: `${insertOf('gen_random_uuid()')} on conflict (brand_id, id)`,
      merge: `${column} = excluded.${column}`,
    }
  }
  const fieldChangeColumns = '(brand_id, table_name, record_id, column_name'
  const fieldValues = `'${brand}', 'deals', '${deal}', 'name'`
  /** The notification is another member's, because callers may see their own notifications. */
  const notificationColumns = `(brand_id, user_id, kind, title`
  const notificationValues = `'${brand}', '${other}', 'assigned', 'Migration'`
  const amountChangeColumns = '(brand_id, deal_id, from_amount, from_currency, to_amount, to_currency'
  const amountValues = `'${brand}', '${deal}', 1, 'GBP', 2, 'EUR'`
  const plainTargets = plainTables.map((table) => {
    const column = nameColumn(table)
    return [table, targetOf(rows[table] ?? '', column, column, `'New'`)] as const
  })
  return {
    ...Object.fromEntries(plainTargets),
    brands: {
      where: 'id = $1',
      values: [brand],
      set: `name = 'Other'`,
      insert: `(name) values ('Third')`,
      known: `(id, name) values ('${brand}', 'Third') on conflict (id)`,
      fresh: `(id, name) values (gen_random_uuid(), 'Third') on conflict (id)`,
      merge: 'name = excluded.name',
    },
    memberships: {
      where: 'brand_id = $1 and user_id = $2',
      values: [brand, other],
      set: `role = 'admin'`,
      insert: `(brand_id, user_id, role) values ('${brand}', '${outsider}', 'member')`,
      known: `(brand_id, user_id, role) values ('${brand}', '${other}', 'admin') on conflict (brand_id, user_id)`,
      fresh: `(brand_id, user_id, role) values ('${brand}', '${outsider}', 'member') on conflict (brand_id, user_id)`,
      merge: 'role = excluded.role',
    },
    deal_stages: targetOf(emptyStage, 'name', 'name', `'Late'`),
    contacts: targetOf(contact, 'first_name', 'email, first_name', `'new@example.com', 'New'`),
    deals: targetOf(deal, 'name', 'name, stage_id', `'New', '${stage}'`),
    // notes.test.ts covers what only an author may do.
    notes: {
      ...targetOf(note, 'body', 'body, contact_id', `'New', '${contact}'`),
      set: 'pinned = true',
      merge: 'pinned = excluded.pinned',
    },
    deal_contacts: {
      ...targetOf(dealContact, 'role', 'deal_id, contact_id, role', `'${deal}', '${otherContact}', 'uses'`),
      set: `role = 'decides'`,
    },
    custom_fields: targetOf(field, 'label', '"table", label, type', `'contacts', 'New', 'text'`),
    invitations: targetOf(invitation, 'role', 'email, role', `'late@example.com', 'member'`),
    field_changes: {
      where: 'brand_id = $1',
      values: [brand],
      set: 'changed_at = now()',
      insert: `${fieldChangeColumns}) values (${fieldValues})`,
      known: `${fieldChangeColumns}, id) overriding system value values (${fieldValues}, 1) on conflict (brand_id, id)`,
      fresh: `${fieldChangeColumns}, id) overriding system value values (${fieldValues}, 999) on conflict (brand_id, id)`,
      merge: 'changed_at = excluded.changed_at',
    },
    notifications: {
      where: 'brand_id = $1 and user_id = $2',
      values: [brand, other],
      set: 'read_at = now()',
      insert: `${notificationColumns}) values (${notificationValues})`,
      known: `${notificationColumns}, id) select ${notificationValues}, n.id from (select md5('${brand}${other}')::uuid as id) n on conflict (brand_id, id)`,
      fresh: `${notificationColumns}, id) values (${notificationValues}, gen_random_uuid()) on conflict (brand_id, id)`,
      merge: 'read_at = excluded.read_at',
    },
    deal_stage_changes: {
      where: 'brand_id = $1',
      values: [brand],
      set: 'changed_at = now()',
      insert: `(brand_id, deal_id, to_stage_id) values ('${brand}', '${deal}', '${stage}')`,
      known: `(brand_id, id, deal_id, to_stage_id) overriding system value values ('${brand}', 1, '${deal}', '${stage}') on conflict (brand_id, id)`,
      fresh: `(brand_id, id, deal_id, to_stage_id) overriding system value values ('${brand}', 999, '${deal}', '${stage}') on conflict (brand_id, id)`,
      merge: 'changed_at = excluded.changed_at',
    },
    amount_changes: {
      where: 'brand_id = $1',
      values: [brand],
      set: 'changed_at = now()',
      insert: `${amountChangeColumns}) values (${amountValues})`,
      known: `${amountChangeColumns}, id) overriding system value values (${amountValues}, 1) on conflict (brand_id, id)`,
      fresh: `${amountChangeColumns}, id) overriding system value values (${amountValues}, 999) on conflict (brand_id, id)`,
      merge: 'changed_at = excluded.changed_at',
    },
  }
}
