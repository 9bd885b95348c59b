-- Live events: who may hear what. Supabase checks each row by its policies. The bundled server asks these functions once
-- a batch; they use the same helper as the policies.

-- The tables with live events, and the column that holds the brand of a row.
create function private.live_scopes() returns table (relation regclass, scope_column text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select format('public.%I', t.name)::regclass, t.brand_column from private.synced_tables t;
end
$$;

-- Which users are members of these brands at all: the server asks this first, so that subscriptions of strangers cost nothing.
create function private.live_members(p_scopes uuid[]) returns table (scope uuid, member uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select m.brand_id, m.user_id from public.memberships m where m.brand_id = any (p_scopes);
end
$$;

-- Which of these callers (claims of their tokens, in a list) may hear of which brands now. A caller whose session has ended
-- or who was removed hears nothing.
create function private.may_hear(p_claims jsonb, p_scopes uuid[]) returns table (caller integer, scope uuid)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_claims jsonb;
begin
  caller := 0;
  for v_claims in select c.value from jsonb_array_elements(p_claims) with ordinality c (value, place) order by c.place loop
    perform set_config('request.jwt.claims', v_claims::text, true);
    if v_claims ->> 'role' = 'service_role' then
      return query select may_hear.caller, s from unnest(p_scopes) s;
    else
      return query select may_hear.caller, b from private.my_brand_ids() b where b = any (p_scopes);
    end if;
    caller := caller + 1;
  end loop;
end
$$;

revoke execute on function private.live_scopes(), private.live_members(uuid[]), private.may_hear(jsonb, uuid[])
  from public, anon, authenticated;

-- The topic of a brand, for presence and broadcast.
create policy "members hear their brand's topic" on realtime.messages for select to authenticated
  using ((select realtime.topic()) = any (array(select 'brand:' || b from private.my_brand_ids() b)));
do $$
begin
  -- The bundled server checks only reading; Supabase also checks writing.
  if exists (select from pg_attribute where attrelid = 'realtime.messages'::regclass and attname = 'payload') then
    execute $policy$
      create policy "members talk in their brand's topic" on realtime.messages for insert to authenticated
      with check ((select realtime.topic()) = any (array(select 'brand:' || b from private.my_brand_ids() b)))
    $policy$;
  end if;
end
$$;
