-- Exactly once: a request without an Idempotency-Key runs no function for it, and one with a key fewer. What is too old is removed by
-- a trigger of its own, which a write seldom calls.

-- Before each statement of a request with a key: refuses a request that was applied already. The client takes PT409 as success;
-- `details` name the row that was written last, whose id the caller of an RPC may have to learn. The lock makes a second request
-- with the same key wait for the first one. A request with a key comes from a device's outbox and needs a session that has not
-- ended (assert_session, here without its detours).
create or replace function private.check_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_key text := private.request_key();
  v_caller uuid := auth.uid();
  v_user uuid := coalesce(v_caller, '00000000-0000-0000-0000-000000000000');
  v_applied record;
begin
  if v_key is null then
    return null;
  end if;
  if length(v_key) > 200 then
    raise exception 'The Idempotency-Key is longer than 200 characters.' using errcode = '22023';
  end if;
  if v_caller is not null and private.session_level() is null then
    raise exception 'SESSION_ENDED' using errcode = 'PT401';
  end if;
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

-- After each row of a request with a key: records what was written. A statement that affects no row records nothing. (A table
-- always takes the same branch: the whole row as JSON, only to read its key, cost more than the rest.)
create or replace function private.record_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  if tg_argv[0] = 'id' then
    v_id := case when tg_op = 'DELETE' then old.id else new.id end;
  else
    v_id := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  end if;
  insert into private.applied_keys (user_id, key, table_name, row_id, xact)
  values (coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000'), private.request_key(), tg_table_name, v_id, pg_current_xact_id());
  return null;
end
$$;

create function private.prune_at_times() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.prune();
  return null;
end
$$;

-- The triggers of a table for requests with a key, and for what is too old. A condition is evaluated before any function is called.
create procedure private.guard_keys(p_table regclass, p_key text)
language plpgsql set search_path = ''
as $$
declare
  v_has_key constant text := 'current_setting(''request.headers'', true) like ''%"idempotency-key"%''';
begin
  execute format('create trigger check_key before insert or update or delete on %s for each statement when (%s) execute function private.check_key()', p_table, v_has_key);
  execute format('create trigger record_key after insert or update or delete on %s for each row when (%s) execute function private.record_key(%L)', p_table, v_has_key, p_key);
  execute format('create trigger prune before insert or update or delete on %s for each statement when (random() < 0.002) execute function private.prune_at_times()', p_table);
end
$$;

do $$
declare
  v_table record;
begin
  for v_table in select format('public.%I', t.name)::regclass as name, t.key_column from private.synced_tables t order by t.position loop
    execute format('drop trigger check_key on %s', v_table.name);
    execute format('drop trigger record_key on %s', v_table.name);
    call private.guard_keys(v_table.name, v_table.key_column);
  end loop;
end
$$;

-- Gives a table the triggers that keep it in sync, the index that `pull` reads by, and live events.
create or replace procedure private.keep_in_sync(p_table regclass, p_key text default 'id', p_kept_back text[] default '{}')
language plpgsql set search_path = ''
as $$
declare
  v_name text := (select relname from pg_class where oid = p_table);
  v_brand text := case when v_name = 'brands' then 'id' else 'brand_id' end;
begin
  insert into private.synced_tables (name, key_column, brand_column, kept_back) values (v_name, p_key, v_brand, p_kept_back);
  execute format('create trigger stamp before insert or update on %s for each row execute function private.stamp()', p_table);
  call private.guard_keys(p_table, p_key);
  if v_name <> 'brands' then
    execute format('create trigger write_tombstone before delete on %s for each row execute function private.write_tombstone(%L)', p_table, p_key);
    execute format('create trigger clear_tombstone after insert on %s referencing new table as arrived for each statement execute function private.clear_tombstone(%L)', p_table, p_key);
    execute format('create index %I on %s (brand_id, rev, %I)', v_name || '_by_rev_idx', p_table, p_key);
  end if;
  execute format('alter table %s replica identity full', p_table);
  execute format('alter publication supabase_realtime add table %s', p_table);
end
$$;

revoke execute on all routines in schema private from public;
