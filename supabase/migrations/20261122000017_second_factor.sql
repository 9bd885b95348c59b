-- A brand can require a second factor: then it is closed to sessions with the password alone. The rule stands in the functions
-- that every policy and every RPC asks (my_brand_ids, assert_role); whoever has a factor needs it in every brand.

-- Sets or clears the requirement. Only owners with two proved factors: nobody locks themselves out. (Whoever loses their
-- last factor later enrols a new one, which the password allows then.) Raises NOT_AUTHORIZED, SECOND_FACTOR_REQUIRED.
create function public.require_second_factor(p_brand_id uuid, p_required boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, 'owner');
  if not private.is_service() and private.session_level() < 2 then
    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';
  end if;
  update public.brands b set requires_second_factor = coalesce(p_required, false)
  where b.id = p_brand_id and b.requires_second_factor <> coalesce(p_required, false);
end
$$;

-- The caller's brands that are closed to this session, so that a screen can say why. `has_factor`: there is a factor to prove;
-- without one, it has to be enrolled first.
create function public.brands_behind_second_factor() returns table (id uuid, name text, has_factor boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_level integer := private.session_level();
begin
  return query
    select b.id, b.name::text, v_level = 0
    from public.memberships m join public.brands b on b.id = m.brand_id
    where m.user_id = v_caller and v_level < case when b.requires_second_factor then 2 else 1 end
    order by b.name;
end
$$;

revoke execute on function public.require_second_factor(uuid, boolean), public.brands_behind_second_factor()
  from public, anon, authenticated;
grant execute on function public.require_second_factor(uuid, boolean), public.brands_behind_second_factor() to authenticated, service_role;
