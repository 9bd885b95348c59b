import type { SecurityBreak } from './break.ts'

const migrationsFolder = 'supabase/migrations'
const foundationSql = `${migrationsFolder}/20261122000001_foundation.sql`
const brandsSql = `${migrationsFolder}/20261122000003_brands.sql`
const membersSql = `${migrationsFolder}/20261122000004_members.sql`
const invitationsSql = `${migrationsFolder}/20261122000016_invitations.sql`
const notesSql = `${migrationsFolder}/20270122000000_notes_restored_with_a_right.sql`
/** Contains the last definition of audit_log. */
const auditLogSql = `${migrationsFolder}/20270122000200_audit_log_of_those_who_joined.sql`
const livesTest = 'supabase/tests/brand-lives.test.ts'
const openedTest = 'supabase/tests/opened-brands.test.ts'
const takenTest = 'supabase/tests/taken-invitations.test.ts'
const notesTest = 'supabase/tests/notes.test.ts'
const visibleTest = 'supabase/tests/visible-text.test.ts'

/** Breaks of the defences of brands and members in the product's SQL. */
export const breaksOfBrands: readonly SecurityBreak[] = [
  {
    attack: 'a new brand gets the id of a deleted brand',
    file: brandsSql,
    from: '  insert into private.brand_lives (id) values (new.id) on conflict do nothing;\n  if not found then',
    to: '  insert into private.brand_lives (id) values (new.id) on conflict do nothing;\n  if false then',
    test: livesTest,
    title: 'the id of a deleted brand cannot be used again, and everybody gets the error of an id in use',
  },
  {
    attack: 'a brand changes its id to that of a deleted brand',
    file: brandsSql,
    from: 'create trigger begin_life_of_new_id after update of id on public.brands\n  for each row when (new.id <> old.id) execute function private.begin_brand_life();',
    to: '',
    test: livesTest,
    title: 'the id of a deleted brand cannot become the new id of another brand',
  },
  {
    attack: 'a row of the list of brand ids is deleted',
    file: brandsSql,
    from: 'create trigger keep before delete on private.brand_lives for each row execute function private.keep_brand_lives();',
    to: '',
    test: livesTest,
    title: 'no row of the list of used ids of brands can be deleted, and no caller can read the list',
  },
  {
    attack: 'the list of brand ids is truncated',
    file: brandsSql,
    from: 'create trigger keep_all before truncate on private.brand_lives for each statement execute function private.keep_brand_lives();',
    to: '',
    test: livesTest,
    title: 'no row of the list of used ids of brands can be deleted, and no caller can read the list',
  },
  {
    attack: 'the audit log of a deleted brand is read by a new brand with its id',
    file: auditLogSql,
    from: '\n          and e.at >= (select b.founded_at from private.brand_lives b where b.id = p_brand_id)',
    to: '',
    test: livesTest,
    title: 'the audit log shows nothing from before its brand was created',
  },
  {
    attack: 'the mail of a withdrawn invitation is sent',
    file: invitationsSql,
    from: 'create trigger unsend after delete on public.invitations for each row execute function private.unsend_invitation();',
    to: '',
    test: livesTest,
    title: 'the waiting mails of a deleted brand’s invitations are deleted',
  },
  {
    attack: 'the audit log shows sign-ins of a person before they opened the brand',
    file: auditLogSql,
    from: ' and a.created_at >= o.opened_at\n',
    to: '\n',
    test: openedTest,
    title: 'a brand that an added person has opened lists the person’s current e-mail address, and no earlier one',
  },
  {
    attack: 'the audit log shows sign-ins of sessions that have not opened the brand',
    file: auditLogSql,
    from: "join auth.audit_log_entries a on a.payload ->> 'session_id' = s.session_id::text",
    to: "join auth.audit_log_entries a on a.payload ->> 'actor_id' = o.user_id::text",
    test: openedTest,
    title:
      'a brand that an added person has opened shows its owners only events of sessions that opened it, and only the network addresses of the owners’ own sessions',
  },
  {
    attack: 'the audit log shows network addresses of another person’s sign-ins',
    file: auditLogSql,
    from: 'case when o.user_id = v_caller then private.coarse_address(private.inet_or_null(a.ip_address::text)) end',
    to: 'private.coarse_address(private.inet_or_null(a.ip_address::text))',
    test: openedTest,
    title: 'only the network addresses of the owners’ own sessions',
  },
  {
    attack: 'the new e-mail address of a person who has not opened the brand is shown',
    file: membersSql,
    from: 'case when m.opened_at is null then a.email else u.email::text end as address',
    to: 'u.email::text as address',
    test: openedTest,
    title:
      'a brand that an added person has not opened shows only the e-mail address by which they were added: no sign-in, no change and no later address',
  },
  {
    attack: 'being added counts as opening',
    file: membersSql,
    from: '  insert into public.memberships (brand_id, user_id, role) values (p_brand_id, v_user, v_role) on conflict do nothing;',
    to: '  insert into public.memberships (brand_id, user_id, role, opened_at) values (p_brand_id, v_user, v_role, now()) on conflict do nothing;',
    test: openedTest,
    title:
      'a brand that an added person has not opened shows only the e-mail address by which they were added: no sign-in, no change and no later address',
  },
  {
    attack: 'the record that a person opened the brand outlives the membership',
    file: membersSql,
    from: '  primary key (brand_id, user_id, session_id),\n  foreign key (brand_id, user_id) references public.memberships on delete cascade\n',
    to: '  primary key (brand_id, user_id, session_id)\n',
    test: openedTest,
    title: 'an opening of an earlier membership',
  },
  {
    attack: 'a brand is opened by a person who is not a member',
    file: membersSql,
    from: "  perform private.assert_member(p_brand_id);\n  -- Waits for a removal of this member that is not committed yet.\n  perform from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_caller for key share;\n  if not found then\n    raise exception 'NOT_AUTHORIZED';\n  end if;\n  perform private.note_opening(p_brand_id);",
    to: '  if exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_caller) then\n    perform private.note_opening(p_brand_id);\n  end if;',
    test: openedTest,
    title: 'only members can open a brand, and only with a session',
  },
  {
    attack: 'another person signs up with an invited e-mail address',
    file: invitationsSql,
    from: '  if not private.proves_addresses() then\n    return;\n  end if;\n',
    to: '',
    test: takenTest,
    title: 'an account with an unverified e-mail address does not become a member',
  },
  {
    attack: 'on an invite-only server, anybody signs up with an invited e-mail address',
    file: invitationsSql,
    from: '  return private.proves_addresses()\n    and exists (',
    to: '  return exists (',
    test: takenTest,
    title: 'an account with an unverified e-mail address does not become a member',
  },
  {
    attack: 'e-mail addresses count as confirmed on a server that does not confirm them',
    file: invitationsSql,
    from: "coalesce(s.settings ->> 'proves_addresses', '') = 'true'",
    to: "coalesce(s.settings ->> 'proves_addresses', 'true') = 'true'",
    test: takenTest,
    title: 'an account with an unverified e-mail address does not become a member',
  },
  {
    attack: 'an invitation link admits a person with another e-mail address',
    file: invitationsSql,
    from: 'i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and',
    to: 'i.id = p_id and u.id = p_user_id and u.deleted_at is null and',
    test: takenTest,
    title:
      'the link of an invitation makes the account of the invited e-mail address a member, once, and opens the brand',
  },
  {
    attack: 'an expired invitation link works',
    file: invitationsSql,
    from: 'i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i)\n  returning',
    to: 'i.email = lower(u.email) and private.is_still_offered(i)\n  returning',
    test: takenTest,
    title: 'the link of an expired or unknown invitation makes nobody a member',
  },
  {
    attack: 'an invitation outlives its inviter’s membership',
    file: invitationsSql,
    from: 'create trigger end_invitations_when_leaving after delete on public.memberships\n  for each row execute function private.end_invitations();',
    to: '',
    test: takenTest,
    title: 'when the inviter is removed',
  },
  {
    attack: 'an invitation outlives its inviter’s role',
    file: invitationsSql,
    from: 'create trigger end_invitations_when_demoted after update of role on public.memberships\n  for each row when (new.role <> old.role) execute function private.end_invitations();',
    to: '',
    test: takenTest,
    title: 'when the inviter is demoted',
  },
  {
    attack: 'an invitation sent at the same time as the removal',
    file: invitationsSql,
    from: '  return p_invitation.invited_by is null or exists (',
    to: '  return true or exists (',
    test: takenTest,
    title: 'an invitation that was sent while its inviter was removed, so that its row still exists, has no effect',
  },
  {
    attack: 'an invitation to an address with an invisible character',
    file: foundationSql,
    from: '  if private.has_invisible(p_email) then\n',
    to: '  if false then\n',
    test: takenTest,
    title: 'an invitation of an e-mail address with an invisible character is refused',
  },
  {
    attack: 'a member is added by an address with an invisible character',
    file: membersSql,
    from: '  perform private.assert_no_invisible(p_email);\n',
    to: '',
    test: openedTest,
    title: 'an e-mail address with an invisible character is refused with a message that says what to do',
  },
  {
    attack: 'two brands that look the same',
    file: brandsSql,
    from: "    regexp_replace(lower(new.name), '[' || private.invisible_characters() || ']', '', 'g'), '[^[:alnum:]]+', '-', 'g');",
    to: "    lower(new.name), '[^[:alnum:]]+', '-', 'g');",
    test: visibleTest,
    title: 'brands with names that look the same are refused',
  },
  {
    attack: 'a person’s name looks like that of another person',
    file: membersSql,
    from: '    private.clean_display_name(new.display_name),\n',
    to: '    private.name_or_null(new.display_name),\n',
    test: visibleTest,
    title: 'a display name',
  },
  {
    attack: 'a name without visible characters',
    file: foundationSql,
    from: "  select case when p_text is not null then coalesce(private.name_or_null(p_text), '') end",
    to: '  select private.trimmed(p_text)',
    test: visibleTest,
    title: 'a name without visible characters',
  },
  {
    attack: 'a member restores a note that somebody else deleted',
    file: notesSql,
    from: "  when (current_setting('private.restoring', true) = 'on') execute function private.assert_may_restore_note();",
    to: '  when (false) execute function private.assert_may_restore_note();',
    test: notesTest,
    title: 'a note that a person deleted is restored only by the one who deleted it, its author, admins and owners',
  },
  {
    attack: 'a member deletes and restores a record, and with it a note that somebody else deleted before',
    file: notesSql,
    from: '        and not t.orphaned and t.deleted_by is distinct from v_caller',
    to: '        and not t.orphaned and t.deleted_by is distinct from v_caller and num_nonnulls(new.contact_id, new.company_id, new.deal_id) > 0',
    test: notesTest,
    title: 'a deleted note does not come back if another member deletes and restores its record',
  },
]
