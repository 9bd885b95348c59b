-- A request with an empty Idempotency-Key is applied like one without a key. Before, each of its writes failed, because this function stored the
-- key null. The conditions of the triggers only know that the header is there: a request with an empty key calls both functions.

-- As before, with the check for null.
create or replace function private.record_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_key text := private.request_key();
  v_id uuid;
begin
  if v_key is null then
    return null;
  end if;
  if tg_argv[0] = 'id' then
    v_id := case when tg_op = 'DELETE' then old.id else new.id end;
  else
    v_id := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  end if;
  insert into private.applied_keys (user_id, key, table_name, row_id, xact)
  values (coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000'), v_key, tg_table_name, v_id, pg_current_xact_id());
  return null;
end
$$;
