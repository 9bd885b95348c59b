-- Live changes: what Supabase's Realtime keeps for itself, laid by the bundled server. Changes of the tables of the
-- publication `supabase_realtime` are appended to a log, which every server process reads behind a horizon.
create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;

-- Unlogged: half the cost of a write. After a crash it is empty; sockets are cut then, and clients catch up by themselves.
create unlogged table realtime.changes (
  seq bigint generated always as identity,
  xact xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  -- I, U, D: a row of `relation`. B: what somebody said in `topic`. P: who came to or left `topic`.
  kind "char" not null,
  relation oid,
  topic text,
  record json not null
);
create index changes_by_xact_idx on realtime.changes (xact, seq);
create index changes_by_age_idx on realtime.changes using brin (at);
-- Triggers append with the caller's rights (a change of rights costs more than the append). Nobody but the owner reads,
-- and the schema is not served.
grant insert on realtime.changes to anon, authenticated, service_role;

create function realtime.log_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    insert into realtime.changes (kind, relation, record) select 'D', tg_relid, row_to_json(o) from gone o;
  elsif tg_op = 'UPDATE' then
    insert into realtime.changes (kind, relation, record) select 'U', tg_relid, row_to_json(n) from arrived n;
  else
    insert into realtime.changes (kind, relation, record) select 'I', tg_relid, row_to_json(n) from arrived n;
  end if;
  return null;
end
$$;

-- Gives the tables of the publication their log triggers, and takes them from those that left it.
create function realtime.attach() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_table regclass;
begin
  perform pg_advisory_xact_lock(7203118463);
  for v_table in
    select t.tgrelid::regclass from pg_trigger t
    where t.tgname = 'log_inserts' and t.tgfoid = 'realtime.log_change'::regproc
      and not exists (
        select from pg_publication_rel p join pg_publication u on u.oid = p.prpubid
        where u.pubname = 'supabase_realtime' and p.prrelid = t.tgrelid)
  loop
    execute format('drop trigger log_inserts on %s', v_table);
    execute format('drop trigger log_updates on %s', v_table);
    execute format('drop trigger log_deletes on %s', v_table);
  end loop;
  for v_table in
    select p.prrelid::regclass from pg_publication_rel p join pg_publication u on u.oid = p.prpubid
    where u.pubname = 'supabase_realtime'
      and not exists (select from pg_trigger t where t.tgrelid = p.prrelid and t.tgname = 'log_inserts')
  loop
    execute format('create trigger log_inserts after insert on %s referencing new table as arrived for each statement execute function realtime.log_change()', v_table);
    execute format('create trigger log_updates after update on %s referencing new table as arrived for each statement execute function realtime.log_change()', v_table);
    execute format('create trigger log_deletes after delete on %s referencing old table as gone for each statement execute function realtime.log_change()', v_table);
  end loop;
end
$$;

-- Who is in a topic now, of every server process.
create unlogged table realtime.presences (
  ref text primary key,
  topic text not null,
  key text not null,
  meta json not null,
  seen_at timestamptz not null default now()
);
create index presences_by_topic_idx on realtime.presences (topic);

-- Whether a caller may use a private topic is decided by policies on this table over realtime.topic(), as on Supabase.
-- Its two rows are what a policy for reading is asked about; nothing is ever written.
create table realtime.messages (
  extension text primary key check (extension in ('broadcast', 'presence')),
  topic text not null default ''
);
insert into realtime.messages (extension) values ('broadcast'), ('presence');
alter table realtime.messages enable row level security;
grant select on realtime.messages to anon, authenticated, service_role;

create function realtime.topic() returns text
language sql stable
as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

revoke execute on all functions in schema realtime from public;
grant execute on function realtime.topic() to anon, authenticated, service_role;
grant execute on function realtime.log_change() to anon, authenticated, service_role;
