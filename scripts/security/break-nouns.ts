import type { SecurityBreak } from './break.ts'

const notesSql = 'supabase/migrations/20261211000000_notes.sql'
const searchNotesSql = 'supabase/migrations/20261218000000_search_notes.sql'
const tagsSql = 'supabase/migrations/20261212000000_tags.sql'
const customFieldsSql = 'supabase/migrations/20261213000000_custom_fields.sql'
const customOrderSql = 'supabase/migrations/20261227000000_order_by_custom_fields.sql'
const setFieldOfAllSql = 'supabase/migrations/20261227000100_set_custom_field_of_all.sql'
const pipelinesSql = 'supabase/migrations/20261214000000_pipelines.sql'
const notificationsSql = 'supabase/migrations/20261215000000_notifications.sql'
const remindersSql = 'supabase/migrations/20261215000200_reminders.sql'
const endedImportsSql = 'supabase/migrations/20261221000100_imports_that_ended.sql'
const chosenPushesSql = 'supabase/migrations/20261221000200_chosen_pushes.sql'
const mergedTagsSql = 'supabase/migrations/20270120000000_targets_of_merged_tags.sql'
const waitingPushesSql = 'supabase/migrations/20270112000000_reminders_that_are_over.sql'
const createFeedSql = 'supabase/migrations/20261228010200_feed_of_a_living_session.sql'
const readFeedSql = 'supabase/migrations/20261228010400_feed_that_does_not_grow.sql'
const feedTest = 'tests/api/calendar-feed.test.ts'

/** Breaks of the defences of notes, tags, custom fields, pipelines, notifications, pushes and the calendar feed. */
export const breaksOfNouns: readonly SecurityBreak[] = [
  {
    attack: 'a member rewrites what a colleague wrote in a note',
    file: notesSql,
    from: "      raise exception 'Only its author can change a note.' using errcode = '42501';",
    to: '      return new;',
    test: 'supabase/tests/notes.test.ts',
    title: 'a note is changed by its author only, and pinned by everybody',
  },
  {
    attack: 'a member deletes a colleague’s note',
    file: notesSql,
    from: "      raise exception 'Only its author and admins can delete a note.' using errcode = '42501';",
    to: '      return old;',
    test: 'supabase/tests/notes.test.ts',
    title: 'a note is deleted by its author, admins and owners only',
  },
  {
    attack: 'a note is written in the name of a colleague',
    file: notesSql,
    from: "      raise exception 'A note is written in one''s own name.' using errcode = '42501';",
    to: '      return new;',
    test: 'supabase/tests/notes.test.ts',
    title: 'a note is refused in the name of another person',
  },
  {
    attack: 'a stranger searches the notes of a brand',
    file: searchNotesSql,
    from: '  perform private.assert_member(p_brand_id);\n',
    to: '',
    test: 'supabase/tests/search-notes.test.ts',
    title: 'a search of notes is for members only, and refuses unknown tables and conditions',
  },
  {
    attack: 'a member without the role of an admin renames the tags of the brand',
    file: tagsSql,
    from: `create policy "admins and owners change tags" on public.tags for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));`,
    to: `create policy "admins and owners change tags" on public.tags for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));`,
    test: 'supabase/tests/tags.test.ts',
    title: 'admins and owners may add, rename, recolour and delete tags; members only read them',
  },
  {
    attack: 'a stranger merges two tags of a brand, which changes its records',
    file: mergedTagsSql,
    from: "  perform private.assert_role(p_brand_id, 'admin');\n  -- In the order of their ids, so that two merges do not deadlock.",
    to: '  -- In the order of their ids, so that two merges do not deadlock.',
    test: 'supabase/tests/tags.test.ts',
    title: 'outsiders can neither see nor change tags',
  },
  {
    attack: 'a member without the role of an admin adds and changes the custom fields of the brand',
    file: customFieldsSql,
    from: `create policy "admins and owners change fields" on public.custom_fields for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));`,
    to: `create policy "admins and owners change fields" on public.custom_fields for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));`,
    test: 'supabase/tests/custom-fields.test.ts',
    title:
      'the definition of a custom field is created and changed by admins and owners only, and seen by members of its brand only',
  },
  {
    attack: 'a record has a value for a field of another brand, or for an unknown field',
    file: 'supabase/migrations/20270103000400_custom_fields_at_once.sql',
    from: "    raise exception 'There is no field % for %.', left(v_unknown, 60), tg_table_name using errcode = '22023';",
    to: '    null;',
    test: 'supabase/tests/custom-fields.test.ts',
    title:
      'a value of a custom field is refused if its field is unknown or belongs to another table or brand, or if custom is no object',
  },
  {
    attack: 'a change of all matching records names a field of another brand, and the refusal reveals its label',
    file: setFieldOfAllSql,
    from: `    where f.brand_id = p_brand_id and f."table" = p_table and v_key in (f.id::text, f.key) and f.retired_at is null;`,
    to: `    where f."table" = p_table and v_key in (f.id::text, f.key) and f.retired_at is null;`,
    test: 'supabase/tests/change-matching.test.ts',
    title:
      'change_matching refuses a value that the field does not accept, an empty value of a required field, and a field that is retired or of another brand',
  },
  {
    attack: 'a member empties a required field of all records',
    file: setFieldOfAllSql,
    from: "    if v_field.required and v_value in ('null', '[]') then",
    to: '    if false then',
    test: 'supabase/tests/change-matching.test.ts',
    title:
      'change_matching refuses a value that the field does not accept, an empty value of a required field, and a field that is retired or of another brand',
  },
  {
    attack: 'a list is ordered by a field of another brand, and its order reveals the definition of the field',
    file: customOrderSql,
    from: `  where f.brand_id = p_brand_id and f."table" = p_table and f.id = v_parts[1]::uuid;`,
    to: `  where f."table" = p_table and f.id = v_parts[1]::uuid;`,
    test: 'supabase/tests/custom-order.test.ts',
    title:
      'the order by a custom field is refused for a field of another brand or table, for a type without an order, and for an unknown name',
  },
  {
    attack: 'a member without the role of an admin renames the pipelines of the brand',
    file: pipelinesSql,
    from: `create policy "admins and owners change pipelines" on public.pipelines for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));`,
    to: `create policy "admins and owners change pipelines" on public.pipelines for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));`,
    test: 'supabase/tests/pipelines.test.ts',
    title: 'pipelines are changed by admins and owners only, and deleted only by delete_pipeline',
  },
  {
    attack: 'a colleague reads the notifications of another member',
    file: notificationsSql,
    from: `create policy "everybody sees their own notifications" on public.notifications for select to authenticated
  using (user_id = (select private.caller_id()) and `,
    to: `create policy "everybody sees their own notifications" on public.notifications for select to authenticated
  using (`,
    test: 'supabase/tests/notifications.test.ts',
    title: 'a notification is seen and marked as read by its person only, and is deleted with the membership',
  },
  {
    attack: 'somebody who is no member of a brand gets notifications of it',
    file: 'supabase/migrations/20261221000000_mentions_lead_to_notes.sql',
    from: '    or not exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_user_id)\n',
    to: '',
    test: 'supabase/tests/notifications.test.ts',
    title: 'a notification is seen and marked as read by its person only, and is deleted with the membership',
    failureText: 'inboxes_brand_id_user_id_fkey',
  },
  {
    attack: 'a colleague receives the live events of another’s notifications',
    file: notificationsSql,
    from: "where i.id = any (p_scopes) and i.user_id = (v_claims ->> 'sub')::uuid and ",
    to: 'where i.id = any (p_scopes) and ',
    test: 'supabase/tests/notifications.test.ts',
    title: 'live events of notifications are received by the person only, if the brand is open to the session',
  },
  {
    attack: 'a member ends the import of a colleague in their name',
    file: endedImportsSql,
    from: ' and r.user_id = v_caller returning * into v_import;',
    to: ' returning * into v_import;',
    test: 'supabase/tests/imports-ended.test.ts',
    title: 'an import that ended unseen notifies the person who started it, once, and nobody else',
  },
  {
    attack: 'a stranger adds somebody to a brand, and pushes words of their choice to that person’s phone',
    file: chosenPushesSql,
    from: ' and m.user_id = new.user_id and m.opened_at is not null\n',
    to: ' and m.user_id = new.user_id\n',
    test: 'supabase/tests/reminders.test.ts',
    title:
      'a push message is sent for the kinds of notification that the person chose, and for no brand that the person has not opened',
  },
  {
    attack: 'a push about a brand that requires a second factor reaches a browser whose session has none',
    file: chosenPushesSql,
    from: `    and (s.aal::text in ('aal2', 'aal3') or not (b.requires_second_factor
      or exists (select from auth.mfa_factors f where f.user_id = new.user_id and f.status = 'verified')));`,
    to: '    ;',
    test: 'supabase/tests/reminders.test.ts',
    title:
      'a push message is sent once, is tried again if that may help, and is dropped after its subscription or session has ended or its notification was read',
  },
  {
    attack: 'a push that waited for the end of quiet hours reaches somebody who was removed from the brand meanwhile',
    file: waitingPushesSql,
    from: `    join public.notifications n on n.id = (o.payload ->> 'tag')::uuid and n.user_id = p.user_id and n.read_at is null
    join public.memberships m on m.brand_id = n.brand_id and m.user_id = n.user_id and m.opened_at is not null
    join public.brands b on b.id = n.brand_id
    join auth.sessions s on s.id = p.session_id and (s.not_after is null or s.not_after > now())
    where o.id = any (p_ids)
      and (s.aal::text in ('aal2', 'aal3') or not (b.requires_second_factor
        or exists (select from auth.mfa_factors f where f.user_id = n.user_id and f.status = 'verified')))
      -- A delete of a task searches for no notifications, so the reminder is still unread.
      and not (n.kind = 'task_due' and exists (
        select from private.tombstones t where t.brand_id = n.brand_id and t.table_name = 'tasks' and t.row_id = n.record_id));
`,
    to: '    where o.id = any (p_ids);\n',
    test: 'supabase/tests/reminders.test.ts',
    title:
      'a push message that waited does not reach a person who was removed, who lacks a second factor that is required now, or whose browser another person has subscribed since',
  },
  {
    attack: 'a stolen session creates a calendar feed while its person ends the session, and reads the feed for ever',
    file: createFeedSql,
    from: '  perform from auth.sessions s where s.id = v_session and s.user_id = v_caller for key share;\n',
    to: '  perform from auth.sessions s where s.id = v_session and s.user_id = v_caller;\n',
    test: 'supabase/tests/calendar-of-ended-session.test.ts',
    title: 'ends the session is ended with the session',
  },
  {
    attack: 'a member ends the pushes to a colleague’s browser',
    file: remindersSql,
    from: 'where p.endpoint = p_endpoint and p.user_id = v_caller;',
    to: 'where p.endpoint = p_endpoint;',
    test: 'supabase/tests/reminders.test.ts',
    title: 'a push message goes to public push services only, and to the ten newest browsers of a person',
  },
  {
    attack: 'a push subscription lets the server call a machine of its own network by name',
    file: remindersSql,
    from: "    and endpoint !~ '^https://[^/]*\\.(local|localhost|internal|lan|home|corp|intranet|arpa)(:443)?/'\n",
    to: '',
    test: 'supabase/tests/reminders.test.ts',
    title: 'a push message goes to public push services only, and to the ten newest browsers of a person',
  },
  {
    attack: 'a calendar URL with any secret shows somebody’s tasks',
    file: readFeedSql,
    from: "where f.secret_hash = sha256(convert_to(p_secret, 'UTF8')) and (u.banned",
    to: 'where (u.banned',
    test: feedTest,
    title:
      'once a feed is renewed or turned off, its old URL returns 404 like an unknown one; the secret is not in the database',
  },
  {
    attack: 'the old URL of a calendar feed still works after its person has renewed it',
    file: createFeedSql,
    from: 'on conflict (user_id) do update\n  set secret_hash = excluded.secret_hash,',
    to: 'on conflict (user_id) do update\n  set',
    test: feedTest,
    title:
      'once a feed is renewed or turned off, its old URL returns 404 like an unknown one; the secret is not in the database',
  },
  {
    attack: 'a calendar feed that a stolen session has made outlives a change of password',
    file: readFeedSql,
    from: ' and f.made_for = private.password_digest(f.user_id);',
    to: ';',
    test: feedTest,
    title:
      'a feed created in a stolen session ends when the person changes the password or ends sessions, and stays valid after a sign-out',
  },
  {
    attack:
      'a calendar feed has tasks of a brand from which its person was removed, or which its person has not opened',
    file: readFeedSql,
    from: '      from public.memberships m\n',
    to: '      from (select v_user as user_id, o.id as brand_id, now() as opened_at from public.brands o) m\n',
    test: feedTest,
    title:
      'a feed loses the tasks of a brand at once if the person has not opened the brand or was removed from it, or if it demands a second factor; a blocked account has no feed',
  },
  {
    attack: 'a push subscription lets the server call an address of its own network',
    file: 'src/server/push/public-address.ts',
    from: "  ['169.254.0.0', 16],\n",
    to: '',
    test: 'src/server/push/transport.test.ts',
    title: 'only IP addresses of the public internet count as public',
  },
]
