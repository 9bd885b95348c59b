-- Handing over takes its locks as every other change of a membership does: rows first, in one order, the brand at the end (the
-- trigger that keeps an owner). Brand first, it waited for somebody who was leaving while they waited for it.
create or replace function public.hand_over_brand(p_brand_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
begin
  perform from public.memberships m
  where m.brand_id = p_brand_id and m.user_id in (p_user_id, v_caller)
    and p_brand_id = any (array(select private.my_owned_brand_ids()))
  order by m.user_id
  for no key update;
  -- Asked after the lock: of two requests at once the second one sees what the first has done.
  if p_brand_id is null or not p_brand_id = any (array(select private.my_owned_brand_ids())) then
    raise exception 'NOT_AUTHORIZED';
  end if;
  update public.memberships m set role = 'owner'
  where m.brand_id = p_brand_id and m.user_id = p_user_id and m.user_id <> v_caller;
  if not found then
    raise exception 'USER_NOT_FOUND';
  end if;
  update public.memberships m set role = 'admin' where m.brand_id = p_brand_id and m.user_id = v_caller;
end
$$;
