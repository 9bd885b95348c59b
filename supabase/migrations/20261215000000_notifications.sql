-- Notifications: what concerns one person, and happened by somebody else's hand. They are made by triggers. Everybody reads their
-- own by REST; no pull carries them, because it answers a brand to all of its members.

-- The scope of a person's live events in a brand. Its id is random: a scope is a bare uuid, and a brand's id is chosen by who
-- founds it, so a scope that could be guessed could be taken.
create table private.inboxes (
  brand_id uuid not null,
  user_id uuid not null,
  id uuid not null unique default gen_random_uuid(),
  primary key (brand_id, user_id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);
revoke all on private.inboxes from public, anon, authenticated;

create table public.notifications (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  kind text not null check (kind in ('assigned', 'deal_moved', 'member_joined')),
  -- What it is about, without a foreign key: it stays readable after the record was deleted, and finds it again when it is restored.
  record_table text check (record_table in ('contacts', 'companies', 'deals', 'tasks')),
  record_id uuid,
  -- The record's name when it happened, and what else matters: the stage that a deal was moved to.
  title text not null check (length(title) <= 500),
  detail text check (length(detail) <= 500),
  -- The same happened to further records at the same time.
  is_many boolean not null default false,
  actor_id uuid,
  inbox_id uuid not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (brand_id, id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);
create index notifications_newest_idx on public.notifications (brand_id, user_id, created_at desc, id);

-- So many are kept of a person in a brand, and so long those that were read.
create function private.kept_notifications() returns integer
language sql immutable
as $$
  select 300
$$;

create function private.tidy_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    -- The first time of reading stays, by the server's clock.
    new.read_at := case when new.read_at is not null then coalesce(old.read_at, now()) end;
    return new;
  end if;
  insert into private.inboxes (brand_id, user_id) values (new.brand_id, new.user_id) on conflict do nothing;
  select i.id into new.inbox_id from private.inboxes i where i.brand_id = new.brand_id and i.user_id = new.user_id;
  delete from public.notifications n
  where n.brand_id = new.brand_id and n.user_id = new.user_id and (n.read_at < now() - interval '30 days' or n.id in (
    select o.id from public.notifications o where o.brand_id = new.brand_id and o.user_id = new.user_id
    order by o.created_at desc, o.id offset private.kept_notifications() - 1));
  return new;
end
$$;
create trigger tidy before insert or update on public.notifications for each row execute function private.tidy_notification();

-- Notifies a member of the brand. Nobody is notified of what they did themselves, and nobody who is no member. Many changes of one kind by one
-- person at the same time are one notification: a thousand records that are handed over are no thousand lines.
create function private.notify(
  p_brand_id uuid, p_user_id uuid, p_kind text, p_table text, p_record_id uuid, p_title text, p_detail text default null,
  p_actor uuid default auth.uid()
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
  insert into public.notifications (brand_id, user_id, kind, record_table, record_id, title, detail, actor_id)
  values (p_brand_id, p_user_id, p_kind, p_table, p_record_id, left(p_title, 500), left(p_detail, 500), p_actor);
end
$$;

-- The name by which people know a record.
create function private.record_name(p_table text, p_row jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(
    case p_table
      when 'tasks' then p_row ->> 'title'
      when 'contacts' then nullif(concat_ws(' ', p_row ->> 'first_name', p_row ->> 'last_name'), '')
      else p_row ->> 'name'
    end,
    p_row ->> 'email', p_row ->> 'phone', '?');
end
$$;

-- THE EVENTS

-- A record has another owner, or a task another assignee: tells the new one. What the one before has not read yet is taken back.
-- A restored record notifies nobody: undo is no news.
create function private.tell_assignee() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_row jsonb := to_jsonb(new);
begin
  if tg_op = 'UPDATE' then
    delete from public.notifications n
    where n.brand_id = new.brand_id and n.user_id = (to_jsonb(old) ->> tg_argv[0])::uuid and n.kind = 'assigned'
      and n.record_id = new.id and n.read_at is null and not n.is_many;
  end if;
  if coalesce(current_setting('private.restoring', true), '') = '' then
    perform private.notify(new.brand_id, (v_row ->> tg_argv[0])::uuid, 'assigned', tg_table_name, new.id,
      private.record_name(tg_table_name, v_row));
  end if;
  return null;
end
$$;
do $$
declare
  v_table text;
  v_column text;
begin
  foreach v_table in array array['contacts', 'companies', 'deals', 'tasks'] loop
    v_column := case v_table when 'tasks' then 'assignee_id' else 'owner_id' end;
    execute format('create trigger tell_first_assignee after insert on public.%1$I for each row
      when (new.%2$I is distinct from new.created_by and new.%2$I is not null) execute function private.tell_assignee(%2$L)', v_table, v_column);
    execute format('create trigger tell_assignee after update of %2$I on public.%1$I for each row
      when (new.%2$I is distinct from old.%2$I) execute function private.tell_assignee(%2$L)', v_table, v_column);
  end loop;
end
$$;

create function private.tell_owner_of_move() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(new.brand_id, new.owner_id, 'deal_moved', 'deals', new.id, new.name,
    (select s.name from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.stage_id));
  return null;
end
$$;
create trigger tell_owner_of_move after update of stage_id on public.deals
  for each row when (new.stage_id is distinct from old.stage_id and new.owner_id is distinct from new.updated_by and new.owner_id is not null)
  execute function private.tell_owner_of_move();

-- An invitation was accepted: tells who invited.
create function private.tell_inviter() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(new.brand_id, new.created_by, 'member_joined', null, null, new.display_name, null, new.user_id);
  return null;
end
$$;
create trigger tell_inviter after insert on public.memberships
  for each row when (new.created_by <> new.user_id) execute function private.tell_inviter();

-- LIVE

-- The tables with live events, and the column that holds the scope of a row: the brand, or the inbox of one person.
create or replace function private.live_scopes() returns table (relation regclass, scope_column text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select format('public.%I', t.name)::regclass, t.brand_column from private.synced_tables t
    union all select 'public.notifications'::regclass, 'inbox_id';
end
$$;

create or replace function private.live_members(p_scopes uuid[]) returns table (scope uuid, member uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select m.brand_id, m.user_id from public.memberships m where m.brand_id = any (p_scopes)
    union all select i.id, i.user_id from private.inboxes i where i.id = any (p_scopes);
end
$$;

-- A caller receives their own inboxes, those of brands that are open to this session.
create or replace function private.may_hear(p_claims jsonb, p_scopes uuid[]) returns table (caller integer, scope uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_claims jsonb;
  v_brands uuid[];
begin
  caller := 0;
  for v_claims in select c.value from jsonb_array_elements(p_claims) with ordinality c (value, place) order by c.place loop
    perform set_config('request.jwt.claims', v_claims::text, true);
    if v_claims ->> 'role' = 'service_role' then
      return query select may_hear.caller, s from unnest(p_scopes) s;
    else
      v_brands := array(select private.my_brand_ids());
      return query
        select may_hear.caller, b from unnest(v_brands) b where b = any (p_scopes)
        union all
        select may_hear.caller, i.id from private.inboxes i
        where i.id = any (p_scopes) and i.user_id = (v_claims ->> 'sub')::uuid and i.brand_id = any (v_brands);
    end if;
    caller := caller + 1;
  end loop;
end
$$;

alter publication supabase_realtime add table public.notifications;

-- RIGHTS

revoke all on public.notifications from public, anon, authenticated;
grant select, update (read_at) on public.notifications to authenticated;
grant select, insert, update, delete on public.notifications to service_role;
revoke execute on all functions in schema private from public;

alter table public.notifications enable row level security;
create policy "everybody sees their own notifications" on public.notifications for select to authenticated
  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));
create policy "everybody marks their own notifications as read" on public.notifications for update to authenticated
  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every notification" on public.notifications to service_role using (true);
