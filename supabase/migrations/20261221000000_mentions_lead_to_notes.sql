-- The notification of a mention knows its note, and leads to it, in the bell and in a push. Without a foreign key, as for records: a note that
-- was deleted and restored is found again, and deleting a note searches for no notifications.
alter table public.notifications add column note_id uuid;

-- Notifies a member of the brand. Nobody is notified of what they did themselves, and nobody who is no member. Many changes of one kind by one
-- person at the same time are one notification: a thousand records that are handed over are no thousand lines.
drop function private.notify(uuid, uuid, text, text, uuid, text, text, uuid);
create function private.notify(
  p_brand_id uuid, p_user_id uuid, p_kind text, p_table text, p_record_id uuid, p_title text, p_detail text default null,
  p_actor uuid default auth.uid(), p_note_id uuid default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_present record;
begin
  if p_user_id is null or p_user_id is not distinct from auth.uid()
    or not exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_user_id)
  then
    return;
  end if;
  if p_kind in ('assigned', 'deal_moved') then
    select n.id, n.is_many into v_present from public.notifications n
    where n.brand_id = p_brand_id and n.user_id = p_user_id and n.kind = p_kind and n.record_table = p_table
      and n.actor_id is not distinct from p_actor and n.read_at is null
      and n.created_at > now() - interval '1 minute' and (n.is_many or n.created_at = now())
    limit 1;
    if found then
      update public.notifications n set is_many = true
      where n.brand_id = p_brand_id and n.id = v_present.id and not v_present.is_many;
      return;
    end if;
  end if;
  insert into public.notifications (brand_id, user_id, kind, record_table, record_id, title, detail, actor_id, note_id)
  values (p_brand_id, p_user_id, p_kind, p_table, p_record_id, left(p_title, 500), left(p_detail, 500), p_actor, p_note_id);
end
$$;

-- At most 50 different people a note: the others are not notified.
create or replace function private.notify_mentioned() returns trigger
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
    perform private.notify(new.brand_id, v_user, 'mentioned', v_table, v_record, coalesce(v_name, '?'), private.note_beginning(new.body),
      p_note_id => new.id);
  end loop;
  return null;
end
$$;

create or replace function private.push_payload(p_notification public.notifications) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_who text := coalesce((
    select m.display_name from public.memberships m
    where m.brand_id = p_notification.brand_id and m.user_id = p_notification.actor_id), 'Somebody');
  v_title text := p_notification.title || case when p_notification.is_many then ' and more' else '' end;
begin
  return jsonb_build_object(
    'title', case p_notification.kind
      when 'assigned' then v_who || case p_notification.record_table when 'tasks' then ' assigned you a task' else ' gave you a record' end
      when 'deal_moved' then v_who || ' moved your deal'
      when 'mentioned' then v_who || ' mentioned you'
      when 'member_joined' then 'Invitation accepted'
      when 'import_ended' then 'Import ended'
      else 'Due now'
    end,
    'body', concat_ws(case p_notification.kind when 'deal_moved' then ' → ' else ': ' end, v_title, p_notification.detail),
    'tag', p_notification.id,
    'url', case
      when p_notification.kind = 'import_ended' then '/crm/import-contacts#import-' || p_notification.record_id
      else coalesce('/crm/' || p_notification.record_table || '/' || p_notification.record_id
        || coalesce('#note-' || p_notification.note_id, ''), '/crm/settings')
    end);
end
$$;

revoke execute on all functions in schema private from public;
