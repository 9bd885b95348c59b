-- Mentions: `@[Name](user:uuid)` in a note notifies that member, once for each note, however often it is edited.

alter table public.notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('assigned', 'deal_moved', 'member_joined', 'mentioned'));

-- Whom a note has mentioned so far. Without a foreign key to notes: a note that is deleted and restored notifies nobody again.
create table private.note_mentions (
  brand_id uuid not null,
  note_id uuid not null,
  user_id uuid not null,
  primary key (brand_id, note_id, user_id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);
create index note_mentions_of_member_idx on private.note_mentions (brand_id, user_id);
revoke all on private.note_mentions from public, anon, authenticated;

-- The beginning of a note, with names in place of the tokens of mentions.
create function private.note_beginning(p_body text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return left(regexp_replace(regexp_replace(left(p_body, 2000), '@\[([^\]\n]{1,200})\]\(user:[0-9a-fA-F-]{36}\)', '@\1', 'g'), '\s+', ' ', 'g'), 160);
end
$$;

-- At most 50 different people a note: the others are not notified.
create function private.notify_mentioned() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid;
  v_table text := case when new.deal_id is not null then 'deals' when new.contact_id is not null then 'contacts' else 'companies' end;
  v_record uuid := coalesce(new.deal_id, new.contact_id, new.company_id);
  v_name text;
begin
  for v_user in
    with named as (
      select distinct lower(t.found[1])::uuid as id
      from regexp_matches(new.body, '@\[[^\]\n]{1,200}\]\(user:([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})\)', 'g') t (found)
    )
    insert into private.note_mentions (brand_id, note_id, user_id)
    select new.brand_id, new.id, m.user_id from public.memberships m join named n on n.id = m.user_id
    where m.brand_id = new.brand_id order by m.user_id limit 50
    on conflict do nothing
    returning user_id
  loop
    continue when coalesce(current_setting('private.restoring', true), '') <> '';
    if v_name is null then
      execute format('select private.record_name(%1$L, to_jsonb(r)) from public.%1$I r where r.brand_id = $1 and r.id = $2', v_table)
      into v_name using new.brand_id, v_record;
    end if;
    perform private.notify(new.brand_id, v_user, 'mentioned', v_table, v_record, coalesce(v_name, '?'), private.note_beginning(new.body));
  end loop;
  return null;
end
$$;
create trigger notify_first_mentioned after insert on public.notes
  for each row when (new.body like '%](user:%') execute function private.notify_mentioned();
create trigger notify_mentioned after update of body on public.notes
  for each row when (new.body like '%](user:%' and new.body <> old.body) execute function private.notify_mentioned();

revoke execute on all functions in schema private from public;
