-- Functions about the caller's own account ask for the level, as everything of a brand does: with a stolen password alone
-- nobody learns of, ends, or takes along anything of somebody who has a second factor. What answers without it is only what
-- leads to the proof or says why something is closed: brands_behind_second_factor, capabilities.

create or replace function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, address text, aal text, is_current boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  return query
    select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'utc'), s.user_agent,
      private.coarse_address(s.ip), coalesce(s.aal::text, 'aal1'), s.id = v_session
    from auth.sessions s
    where s.user_id = v_caller and (s.not_after is null or s.not_after > now())
    order by s.id = v_session desc, 3 desc;
end
$$;

create or replace function public.end_session(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = v_caller;
  if not found then
    raise exception 'NOT_FOUND';
  end if;
end
$$;

create or replace function public.end_other_sessions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_ended integer;
begin
  delete from auth.sessions s where s.user_id = v_caller and s.id <> (auth.jwt() ->> 'session_id')::uuid;
  get diagnostics v_ended = row_count;
  return v_ended;
end
$$;

create or replace function public.export_my_data() returns json
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.proved_caller();
  return private.collect_my_data();
end
$$;

-- As before: it says REAUTHENTICATION_NEEDED for the level too, which the screen answers with one proof of everything.
create or replace function public.delete_my_account() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_level integer := private.session_level();
  v_brands jsonb;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if v_level = 0 or not private.proved_lately('{password,otp,recovery,invite}') or (
    exists (select from auth.mfa_factors f where f.user_id = v_caller and f.status::text = 'verified')
    and not private.proved_lately('{totp,phone,webauthn,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}')
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

-- Owners alone, and only with two factors proved: so nobody closes a brand to themselves. Whoever has proved too little to
-- see the brand hears the same as whoever has to prove more for this.
create or replace function public.require_second_factor(p_brand_id uuid, p_required boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, 'owner');
  if not private.is_service() and private.session_level() < 2 then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
  update public.brands b set requires_second_factor = coalesce(p_required, false)
  where b.id = p_brand_id and b.requires_second_factor <> coalesce(p_required, false);
end
$$;

create or replace function public.hand_over_brand(p_brand_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  perform from public.memberships m
  where m.brand_id = p_brand_id and m.user_id in (p_user_id, v_caller)
    and p_brand_id = any (array(select private.my_brand_ids('owner')))
  order by m.user_id
  for no key update;
  -- Asked after the lock: of two requests at once the second one sees what the first has done.
  perform private.assert_role(p_brand_id, 'owner');
  update public.memberships m set role = 'owner'
  where m.brand_id = p_brand_id and m.user_id = p_user_id and m.user_id <> v_caller;
  if not found then
    raise exception 'USER_NOT_FOUND';
  end if;
  update public.memberships m set role = 'admin' where m.brand_id = p_brand_id and m.user_id = v_caller;
end
$$;

create or replace function public.accept_invitations() returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return array(select private.accept_invitations_of(private.proved_caller()));
end
$$;

-- As before; the stages of a brand are its admins' to bring back.
create or replace function public.restore_records(p_brand_id uuid, p_table text, p_ids uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_columns text;
  v_stone private.tombstones;
  v_restored jsonb := '[]';
begin
  perform private.assert_member(p_brand_id);
  if p_table not in (select s.name from private.synced_tables s where s.key_column = 'id' and s.name <> 'brands') then
    raise exception 'Records of % cannot be restored.', p_table using errcode = '22023';
  end if;
  if p_table = 'deal_stages' then
    perform private.assert_role(p_brand_id, 'admin');
  end if;
  if cardinality(p_ids) > 1000 then
    raise exception 'At most 1000 records can be restored at once.' using errcode = '22023';
  end if;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into v_columns
  from pg_attribute a
  where a.attrelid = format('public.%I', p_table)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';

  for v_stone in
    select * from private.tombstones t
    where t.brand_id = p_brand_id and t.table_name = p_table and t.row_id = any (p_ids) and t.row_data is not null
    order by t.row_id for update
  loop
    begin
      perform set_config('private.restoring', 'on', true);
      execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)', p_table, v_columns)
      using private.without_lost_links(v_stone);
      perform set_config('private.restoring', '', true);
      perform private.restore_links(v_stone);
      v_restored := v_restored || to_jsonb(v_stone.row_id);
    exception when unique_violation then
      -- Not free any more. (The setting went back with the rest.)
      null;
    end;
  end loop;
  return v_restored;
end
$$;

-- Who may add, and what: members and admins by admins, owners by owners.
create or replace function private.assert_may_invite(p_brand_id uuid, p_role text) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, case when p_role = 'owner' then 'owner' else 'admin' end);
end
$$;
