-- The end of an account, and what a person takes along.

-- Whether the caller's token was made with this kind of proof within the last five minutes.
create function private.proved_lately(p_methods text[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from jsonb_array_elements(
      case jsonb_typeof(auth.jwt() -> 'amr') when 'array' then auth.jwt() -> 'amr' else '[]'::jsonb end
    ) a
    where jsonb_typeof(a) = 'object' and a ->> 'method' = any (p_methods)
      and to_timestamp((a ->> 'timestamp')::double precision) > now() - interval '5 minutes'
  )
$$;

-- Deletes the caller's account, sessions and memberships; records stay with their brands, without an owner. The password has
-- to be proved just before (a new sign-in), and the second factor where there is one: else REAUTHENTICATION_NEEDED. Raises
-- LAST_OWNER with the brands, as JSON in the detail, that must be handed over or deleted first.
create function public.delete_my_account() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_brands jsonb;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if not private.proved_lately('{password,otp,recovery,invite}') or (
    exists (select from auth.mfa_factors f where f.user_id = v_caller and f.status::text = 'verified')
    and not (private.has_two_factors()
      and private.proved_lately('{totp,phone,webauthn,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}'))
  ) then
    raise exception 'REAUTHENTICATION_NEEDED';
  end if;
  select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name) order by b.name) into v_brands
  from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = v_caller and m.role = 'owner' and not exists (
    select from public.memberships o where o.brand_id = m.brand_id and o.role = 'owner' and o.user_id <> v_caller
  );
  if v_brands is not null then
    raise exception 'LAST_OWNER' using detail = v_brands::text;
  end if;
  delete from auth.users u where u.id = v_caller;
end
$$;

-- What this installation holds about the caller: the account, its factors and sessions, and in the brands that are open to
-- this session the membership and the records that are theirs or that they made.
create function public.export_my_data() returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_table record;
  v_rows json;
  v_records jsonb := '{}';
  v_brand uuid;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  for v_table in
    select s.name,
      (select string_agg(format('r.%I = $1', a.attname), ' or ') from pg_catalog.pg_attribute a
       where a.attrelid = format('public.%I', s.name)::regclass and not a.attisdropped
         and a.attname in ('owner_id', 'assignee_id', 'created_by')) as is_theirs,
      s.kept_back
    from private.synced_tables s
    where s.name not in ('brands', 'memberships') order by s.position
  loop
    execute format(
      'select coalesce(json_agg(to_jsonb(r) - $2 order by r.created_at), ''[]'') from public.%I r
       where r.brand_id = any (array(select private.my_brand_ids())) and (%s)', v_table.name, v_table.is_theirs)
    into v_rows using v_caller, v_table.kept_back;
    v_records := v_records || jsonb_build_object(v_table.name, v_rows);
  end loop;
  for v_brand in select private.my_brand_ids() loop
    perform private.record_event(v_brand, 'data_exported', '{}');
  end loop;
  return json_build_object(
    'exported_at', now(),
    'account', (
      select json_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
        'metadata', u.raw_user_meta_data)
      from auth.users u where u.id = v_caller),
    'factors', (
      select coalesce(json_agg(json_build_object('type', f.factor_type, 'name', f.friendly_name, 'phone', f.phone,
        'status', f.status, 'created_at', f.created_at)), '[]')
      from auth.mfa_factors f where f.user_id = v_caller),
    'sessions', (
      select coalesce(json_agg(json_build_object('created_at', s.created_at, 'user_agent', s.user_agent, 'address', s.ip)), '[]')
      from auth.sessions s where s.user_id = v_caller),
    'memberships', (
      select coalesce(json_agg(json_build_object('brand', b.name, 'role', m.role, 'display_name', m.display_name,
        'since', m.created_at)), '[]')
      from public.memberships m join public.brands b on b.id = m.brand_id
      where m.user_id = v_caller and m.brand_id = any (array(select private.my_brand_ids()))),
    'records', v_records
  );
end
$$;

revoke execute on function private.proved_lately(text[]) from public;
revoke execute on function public.delete_my_account(), public.export_my_data() from public, anon, authenticated;
grant execute on function public.delete_my_account(), public.export_my_data() to authenticated;
