-- How changes reach devices, and how an operation that is sent twice is applied once.
-- A chapter whose table devices keep calls `private.keep_in_sync`. Such a table has brand_id (or is brands), a key, and the
-- columns rev, version, created_at, updated_at, created_by, updated_by.

-- rev = base + id of the writing transaction. Transaction ids start over in another cluster (a restored backup, an upgrade):
-- then base is raised above every rev, and a new epoch makes devices fetch everything again.
create table private.sync_state (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  base bigint not null default 0,
  -- The cluster and database whose transaction ids the revs count by.
  cluster text not null,
  -- Tombstones up to this rev are gone: an older cursor cannot be continued.
  pruned_through bigint not null default 0
);

create table private.synced_tables (
  name text primary key,
  key_column text not null,
  brand_column text not null,
  -- Columns that only the database needs: devices do not get them.
  kept_back text[] not null,
  -- The order in which a device gets the tables.
  position integer generated always as identity
);

-- What was deleted. No foreign key to the brand, so that a brand can be deleted in one statement. The row and the links that
-- the delete cleared are kept for 30 days (restore_records), the tombstone itself for 90.
create table private.tombstones (
  brand_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  rev bigint not null,
  version integer not null,
  deleted_at timestamptz not null default now(),
  deleted_by uuid,
  row_data jsonb,
  links jsonb,
  primary key (brand_id, table_name, row_id)
);
create index tombstones_by_rev_idx on private.tombstones (brand_id, rev, row_id, table_name);
create index tombstones_by_age_idx on private.tombstones (deleted_at);

-- The rows that requests with an Idempotency-Key have written. The transaction id tells a second statement of the same request
-- from a request that is sent again; the time is stored too, because transaction ids start over in a restored cluster.
create table private.applied_keys (
  user_id uuid not null,
  key text not null,
  seq bigint generated always as identity,
  table_name text not null,
  row_id uuid not null,
  xact xid8 not null,
  applied_at timestamptz not null default now(),
  primary key (user_id, key, seq)
);
create index applied_keys_by_age_idx on private.applied_keys (applied_at);

-- EPOCH AND REVISION

-- The identity of this cluster, its timeline and this database.
create function private.cluster_identity() returns text
language plpgsql stable set search_path = ''
as $$
begin
  return (select system_identifier from pg_control_system())
    || '.' || (select timeline_id from pg_control_checkpoint())
    || '.' || (select oid from pg_database where datname = current_database());
end
$$;

insert into private.sync_state (cluster) values (private.cluster_identity());

-- What devices compare. It also changes where the cluster was exchanged and the bundled server has not started since.
create function private.current_epoch() returns text
language plpgsql stable set search_path = ''
as $$
begin
  return (select s.epoch || '.' || private.cluster_identity() from private.sync_state s);
end
$$;

-- Begins a new epoch, with base above every rev. Call it once after rows were restored by other tools.
create function private.raise_epoch() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_table text;
  v_rev bigint;
  v_highest bigint;
begin
  -- Every writer holds a weaker lock on this table until it commits, so no row is stamped with the old base after this.
  lock table private.sync_state in access exclusive mode;
  select coalesce(max(rev), 0) into v_highest from private.tombstones;
  for v_table in select name from private.synced_tables loop
    execute format('select coalesce(max(rev), 0) from public.%I', v_table) into v_rev;
    v_highest := greatest(v_highest, v_rev);
  end loop;
  update private.sync_state
  set epoch = gen_random_uuid(),
      cluster = private.cluster_identity(),
      -- Counted from the oldest running transaction, which may write later than this one.
      base = greatest(base, v_highest - pg_snapshot_xmin(pg_current_snapshot())::text::bigint + 1);
end
$$;

-- The bundled server calls this at each start, if it exists.
create function private.on_server_start() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if (select cluster from private.sync_state) is distinct from private.cluster_identity() then
    perform private.raise_epoch();
  end if;
end
$$;

-- The bundled server calls this after a restore: devices may have seen later rows.
create function private.on_restore() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.raise_epoch();
end
$$;

-- The rev of everything that this transaction writes.
create function private.current_rev() returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return (select s.base + pg_current_xact_id()::text::bigint from private.sync_state s);
end
$$;

-- Before each row: sets what no client may set. A statement may write a thousand rows, so the rev is read once and kept in
-- a setting of the transaction, and the function runs with the caller's rights: changing rights and search path would
-- cost as much as all the rest.
create function private.stamp() returns trigger
language plpgsql
as $$
declare
  v_rev text := current_setting('private.rev', true);
begin
  if coalesce(v_rev, '') = '' then
    v_rev := set_config('private.rev', private.current_rev()::text, true);
  end if;
  new.rev := v_rev::bigint;
  new.updated_at := now();
  new.updated_by := auth.uid();
  if tg_op = 'INSERT' then
    -- A restored row keeps its maker, also where that is null.
    if new.created_by is null and coalesce(current_setting('private.restoring', true), '') = '' then
      new.created_by := new.updated_by;
    end if;
  else
    -- Only a restored row names a higher version (clear_tombstone).
    new.version := greatest(old.version, new.version) + 1;
    new.created_at := old.created_at;
    new.created_by := old.created_by;
  end if;
  return new;
end
$$;

-- DELETED AND RESTORED ROWS

-- Before a row is deleted: stores a tombstone with the row and the foreign keys that the delete sets to null.
create function private.write_tombstone() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_row jsonb := to_jsonb(old);
  v_links jsonb := '[]';
  v_found jsonb;
  v_child record;
begin
  -- The whole brand is being deleted: no tombstone is needed.
  if not exists (select from public.brands b where b.id = old.brand_id) then
    return old;
  end if;
  if tg_argv[0] = 'id' then
    for v_child in
      select c.conrelid::regclass as child, r.relname, a.attname
      from pg_constraint c
      join pg_class r on r.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.confdelsetcols[1]
      where c.confrelid = tg_relid and c.contype = 'f' and c.confdeltype = 'n'
    loop
      execute format('select jsonb_agg(jsonb_build_object(''table'', %L, ''column'', %L, ''id'', id)) from %s where brand_id = $1 and %I = $2',
        v_child.relname, v_child.attname, v_child.child, v_child.attname)
      into v_found using old.brand_id, (v_row ->> 'id')::uuid;
      v_links := v_links || coalesce(v_found, '[]');
    end loop;
  end if;
  insert into private.tombstones as t (brand_id, table_name, row_id, rev, version, deleted_by, row_data, links)
  values (old.brand_id, tg_table_name, (v_row ->> tg_argv[0])::uuid, private.current_rev(), old.version, auth.uid(), v_row, v_links)
  on conflict (brand_id, table_name, row_id) do update
  set rev = excluded.rev, version = excluded.version, deleted_at = excluded.deleted_at, deleted_by = excluded.deleted_by,
      row_data = excluded.row_data, links = excluded.links;
  return old;
end
$$;

-- After rows were inserted: an id that comes back has no tombstone any more and continues its version. (A table always takes
-- the same branch, so the other one is never planned.)
create function private.clear_tombstone() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_back private.tombstones[];
begin
  if tg_argv[0] = 'id' then
    with back as (
      delete from private.tombstones t using arrived n
      where t.brand_id = n.brand_id and t.table_name = tg_table_name and t.row_id = n.id returning t.*
    )
    select array_agg(back::private.tombstones) into v_back from back;
  else
    with back as (
      delete from private.tombstones t using arrived n
      where t.brand_id = n.brand_id and t.table_name = tg_table_name and t.row_id = n.user_id returning t.*
    )
    select array_agg(back::private.tombstones) into v_back from back;
  end if;
  if v_back is not null then
    execute format('update public.%1$I r set version = b.version from unnest($1) b
      where r.brand_id = b.brand_id and r.%2$I = b.row_id and r.version <= b.version', tg_table_name, tg_argv[0])
    using v_back;
  end if;
  return null;
end
$$;

-- EXACTLY ONCE

-- The request's Idempotency-Key, or null. It can be inlined.
create function private.request_key() returns text
language sql stable
as $$
  select nullif(nullif(current_setting('request.headers', true), '')::json ->> 'idempotency-key', '')
$$;

-- Before each statement: refuses a request that was applied already. The client takes PT409 as success; `details` name the row
-- that was written last, whose id the caller of an RPC may have to learn. The lock makes a second request with the same key
-- wait for the first one. A request with a key comes from a device's outbox and needs a session that has not ended.
create function private.check_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_key text := private.request_key();
  v_user uuid := coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000');
  v_applied record;
begin
  if random() < 0.002 then
    perform private.prune();
  end if;
  if v_key is null then
    return null;
  end if;
  if length(v_key) > 200 then
    raise exception 'The Idempotency-Key is longer than 200 characters.' using errcode = '22023';
  end if;
  perform private.assert_session();
  perform pg_advisory_xact_lock(hashtextextended(v_user || v_key, 0));
  select k.table_name, k.row_id into v_applied
  from private.applied_keys k
  where k.user_id = v_user and k.key = v_key
    and (k.xact is distinct from pg_current_xact_id_if_assigned() or k.applied_at <> now())
  order by k.seq desc
  limit 1;
  if found then
    raise exception 'already applied' using
      errcode = 'PT409',
      detail = json_build_object('table', v_applied.table_name, 'id', v_applied.row_id)::text;
  end if;
  return null;
end
$$;

-- After each row of a request with a key: records what was written. A statement that affects no row records nothing.
create function private.record_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.applied_keys (user_id, key, table_name, row_id, xact)
  values (
    coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000'),
    private.request_key(),
    tg_table_name,
    (to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[0])::uuid,
    pg_current_xact_id()
  );
  return null;
end
$$;

-- Removes what is too old, a little at a time; a write calls it now and then. Only one caller prunes, the others go on.
create function private.prune() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_highest bigint;
begin
  if not pg_try_advisory_xact_lock(7203118462) then
    return;
  end if;
  delete from private.applied_keys k
  where (k.user_id, k.key, k.seq) in (
    select o.user_id, o.key, o.seq from private.applied_keys o
    where o.applied_at < now() - interval '30 days' limit 500
  );
  update private.tombstones t set row_data = null, links = null
  where (t.brand_id, t.table_name, t.row_id) in (
    select o.brand_id, o.table_name, o.row_id from private.tombstones o
    where o.deleted_at < now() - interval '30 days' and o.row_data is not null order by o.deleted_at limit 500
  );
  with gone as (
    delete from private.tombstones t
    where (t.brand_id, t.table_name, t.row_id) in (
      select o.brand_id, o.table_name, o.row_id from private.tombstones o
      where o.deleted_at < now() - interval '90 days' order by o.deleted_at limit 500
    )
    returning t.rev
  )
  select max(rev) into v_highest from gone;
  if v_highest is not null then
    update private.sync_state set pruned_through = v_highest where pruned_through < v_highest;
  end if;
end
$$;

-- THE TABLES THAT DEVICES KEEP

-- Gives a table the triggers of this chapter, the index that `pull` reads by, and live events.
create procedure private.keep_in_sync(p_table regclass, p_key text default 'id', p_kept_back text[] default '{}')
language plpgsql set search_path = ''
as $$
declare
  v_name text := (select relname from pg_class where oid = p_table);
  v_brand text := case when v_name = 'brands' then 'id' else 'brand_id' end;
begin
  insert into private.synced_tables (name, key_column, brand_column, kept_back) values (v_name, p_key, v_brand, p_kept_back);
  execute format('create trigger stamp before insert or update on %s for each row execute function private.stamp()', p_table);
  execute format('create trigger check_key before insert or update or delete on %s for each statement execute function private.check_key()', p_table);
  -- The condition is evaluated before any function is called, so a request without a key costs almost nothing.
  execute format('create trigger record_key after insert or update or delete on %s for each row when (current_setting(''request.headers'', true) like ''%%"idempotency-key"%%'') execute function private.record_key(%L)', p_table, p_key);
  if v_name <> 'brands' then
    execute format('create trigger write_tombstone before delete on %s for each row execute function private.write_tombstone(%L)', p_table, p_key);
    execute format('create trigger clear_tombstone after insert on %s referencing new table as arrived for each statement execute function private.clear_tombstone(%L)', p_table, p_key);
    execute format('create index %I on %s (brand_id, rev, %I)', v_name || '_by_rev_idx', p_table, p_key);
  end if;
  execute format('alter table %s replica identity full', p_table);
  execute format('alter publication supabase_realtime add table %s', p_table);
end
$$;

-- Live events: Supabase has this publication already; elsewhere it is created here.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;

revoke execute on all routines in schema private from public;
grant execute on function private.current_rev() to authenticated, service_role;
