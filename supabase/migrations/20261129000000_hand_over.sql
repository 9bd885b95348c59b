-- What a member owns, or has been assigned, can go to another member in the transaction that ends the membership. Before, it belonged to
-- nobody then; without a successor it still does.

-- The tables whose records have an owner or an assignee, with that column.
create function private.owner_columns() returns table (table_name text, column_name text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select s.name, a.attname::text
    from private.synced_tables s
    join pg_catalog.pg_attribute a on a.attrelid = format('public.%I', s.name)::regclass
    where a.attname in ('owner_id', 'assignee_id') and not a.attisdropped
    order by s.position;
end
$$;

-- How many records of each table a member owns or has been assigned: {"deals": 3, "tasks": 2}, without zeros. Raises NOT_AUTHORIZED.
create function public.member_records(p_brand_id uuid, p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_column record;
  v_count bigint;
  v_counts jsonb := '{}';
begin
  perform private.assert_member(p_brand_id);
  for v_column in select * from private.owner_columns() loop
    execute format('select count(*) from public.%I r where r.brand_id = $1 and r.%I = $2', v_column.table_name, v_column.column_name)
    into v_count using p_brand_id, p_user_id;
    if v_count > 0 then
      v_counts := v_counts || jsonb_build_object(v_column.table_name, v_count);
    end if;
  end loop;
  return v_counts;
end
$$;

-- Ends a membership, the caller's own too, and gives the member's records to `p_to` (null: nobody): both or neither. Rights are those of
-- the policies of memberships: admins remove members and admins, owners everybody, and anyone may leave. Answers the numbers of
-- records that were given, as member_records. Raises NOT_AUTHORIZED, LAST_OWNER, and USER_NOT_FOUND where one of the two is no member.
create function public.remove_member(p_brand_id uuid, p_user_id uuid, p_to uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_role text;
  v_column record;
  v_count bigint;
  v_counts jsonb := '{}';
begin
  perform private.assert_member(p_brand_id);
  -- In the order of every change of memberships, so that two removals do not deadlock.
  perform from public.memberships m where m.brand_id = p_brand_id and m.user_id in (p_user_id, p_to) order by m.user_id for no key update;
  -- Checked after the lock: the caller may have been removed meanwhile.
  perform private.assert_member(p_brand_id);
  select m.role into v_role from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_user_id;
  if v_role is null then
    raise exception 'USER_NOT_FOUND';
  end if;
  if p_user_id is distinct from private.caller_id() then
    perform private.assert_role(p_brand_id, case when v_role = 'owner' then 'owner' else 'admin' end);
  end if;
  if p_to is not null then
    if p_to = p_user_id or not exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_to) then
      raise exception 'USER_NOT_FOUND';
    end if;
    for v_column in select * from private.owner_columns() loop
      execute format('update public.%I r set %I = $3 where r.brand_id = $1 and r.%I = $2',
        v_column.table_name, v_column.column_name, v_column.column_name)
      using p_brand_id, p_user_id, p_to;
      get diagnostics v_count = row_count;
      if v_count > 0 then
        v_counts := v_counts || jsonb_build_object(v_column.table_name, v_count);
      end if;
    end loop;
  end if;
  delete from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_user_id;
  return v_counts;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.member_records(uuid, uuid), public.remove_member(uuid, uuid, uuid) from public, anon, authenticated;
grant execute on function public.member_records(uuid, uuid), public.remove_member(uuid, uuid, uuid) to authenticated, service_role;
