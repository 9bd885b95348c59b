-- 'An import ended': tells the person who began it, on all their devices, unless they have seen it end. An import runs in one page: it says when it
-- begins and ends. One that is silent for ten minutes has stopped, because the page was closed or lost its connection.

alter table public.notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (
    kind in ('assigned', 'deal_moved', 'member_joined', 'mentioned', 'task_due', 'import_ended', 'added_to_brand'));

-- Imports whose page has not reported their end.
create table private.running_imports (
  brand_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  file_name text not null check (length(file_name) <= 255),
  active_at timestamptz not null default now(),
  -- Its person was notified that it is silent.
  notified_at timestamptz,
  primary key (brand_id, id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);
create index running_imports_of_member_idx on private.running_imports (brand_id, user_id, active_at);
create index running_imports_by_time_idx on private.running_imports (active_at);
alter table private.running_imports enable row level security;
revoke all on private.running_imports from public, anon, authenticated, service_role;

-- A chunk that wrote something is a sign of life.
create function private.note_chunk() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.running_imports r set active_at = now() where r.brand_id = new.brand_id and r.id = new.id;
  return null;
end
$$;
create trigger note_chunk after insert or update of revs on private.imports for each row execute function private.note_chunk();

-- 'contacts.csv' 'Stopped before its end: 214 contacts imported, 3 rows skipped'. An earlier unread notification of this import is replaced.
create function private.notify_import_ended(p_import private.running_imports, p_is_complete boolean, p_imported integer, p_skipped integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where n.brand_id = p_import.brand_id and n.user_id = p_import.user_id and n.kind = 'import_ended' and n.record_id = p_import.id and n.read_at is null;
  insert into public.notifications (brand_id, user_id, kind, record_id, title, detail)
  values (p_import.brand_id, p_import.user_id, 'import_ended', p_import.id, p_import.file_name,
    case when p_is_complete then '' else 'Stopped before its end: ' end
      || to_char(p_imported, 'FM999,999,990') || case p_imported when 1 then ' contact imported' else ' contacts imported' end
      || case p_skipped when 0 then '' when 1 then ', 1 row skipped' else ', ' || to_char(p_skipped, 'FM999,999,990') || ' rows skipped' end);
end
$$;

-- The caller begins an import of this file, or goes on with it. Calling it again does no harm. At most 20 at a time: the one without a chunk for
-- the longest time goes.
create function public.begin_import(p_brand_id uuid, p_import_id uuid, p_file text default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  perform private.assert_member(p_brand_id);
  if p_import_id is null then
    raise exception 'p_import_id is required.' using errcode = '22023';
  end if;
  insert into private.running_imports as r (brand_id, id, user_id, file_name)
  values (p_brand_id, p_import_id, v_caller, coalesce(left(private.name_or_null(p_file), 255), 'contacts'))
  on conflict (brand_id, id) do update set active_at = now(), notified_at = null where r.user_id = v_caller;
  delete from private.running_imports r where r.brand_id = p_brand_id and r.id in (
    select o.id from private.running_imports o where o.brand_id = p_brand_id and o.user_id = v_caller
    order by o.active_at desc, o.id offset 20);
end
$$;

-- An import that the caller began has ended: whether all of its rows were read, how many were imported, how many were skipped, and whether the
-- caller saw it end. Of an import that is not known, or has ended, nobody is notified.
create function public.end_import(
  p_brand_id uuid, p_import_id uuid, p_is_complete boolean, p_imported integer, p_skipped integer, p_is_seen boolean default false
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_import private.running_imports;
begin
  perform private.assert_member(p_brand_id);
  if p_is_complete is null or coalesce(p_imported, -1) not between 0 and 99999999 or coalesce(p_skipped, -1) not between 0 and 99999999 then
    raise exception 'An import ends with p_is_complete, and with p_imported and p_skipped from 0 to 99999999.' using errcode = '22023';
  end if;
  delete from private.running_imports r where r.brand_id = p_brand_id and r.id = p_import_id and r.user_id = v_caller returning * into v_import;
  if found and not coalesce(p_is_seen, false) then
    perform private.notify_import_ended(v_import, p_is_complete, p_imported, p_skipped);
  end if;
end
$$;

create function private.notify_silent_imports() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v private.running_imports;
begin
  for v in
    update private.running_imports r set notified_at = now() where (r.brand_id, r.id) in (
      select s.brand_id, s.id from private.running_imports s
      where s.active_at < now() - interval '10 minutes' and s.notified_at is null order by s.active_at limit 100 for update skip locked)
    returning r.*
  loop
    perform private.notify_import_ended(v, false, coalesce((
      select i.created + i.updated from private.imports i where i.brand_id = v.brand_id and i.id = v.id), 0), 0);
  end loop;
  -- Until then its page may go on, and say how it ended.
  delete from private.running_imports r where (r.brand_id, r.id) in (
    select s.brand_id, s.id from private.running_imports s where s.active_at < now() - interval '7 days' limit 100 for update skip locked);
end
$$;

-- The bundled server calls this every few seconds; several servers may. Makes the notifications of what is due, each once: a reminder is
-- deleted in the transaction that notifies. On Supabase, pg_cron can call it.
create or replace function private.on_timer() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v private.reminders;
begin
  for v in
    delete from private.reminders r where (r.brand_id, r.task_id) in (
      select d.brand_id, d.task_id from private.reminders d where d.remind_at <= now() order by d.remind_at limit 200 for update skip locked)
    returning r.*
  loop
    perform private.notify(v.brand_id, v.user_id, 'task_due', 'tasks', v.task_id, t.title)
    from public.tasks t where t.brand_id = v.brand_id and t.id = v.task_id and t.status = 'open';
  end loop;
  perform private.notify_silent_imports();
  delete from private.push_outbox o where o.id in (
    select p.id from private.push_outbox p where p.created_at < now() - interval '2 days' limit 500);
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.begin_import(uuid, uuid, text), public.end_import(uuid, uuid, boolean, integer, integer, boolean)
  from public, anon, authenticated;
grant execute on function public.begin_import(uuid, uuid, text), public.end_import(uuid, uuid, boolean, integer, integer, boolean) to authenticated;
