-- A brand changes hands, and what stays behind when one is deleted.

-- Makes another member owner and the caller, who owns the brand, an admin: both or neither. Raises NOT_AUTHORIZED where the
-- caller is no owner, USER_NOT_FOUND where the other is no member (or is the caller). Whoever may hand over is asked after
-- the lock: of two requests at once the second one sees what the first has done.
create function public.hand_over_brand(p_brand_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
begin
  if p_brand_id is null or not p_brand_id = any (array(select private.my_owned_brand_ids())) then
    raise exception 'NOT_AUTHORIZED';
  end if;
  perform from public.brands b where b.id = p_brand_id for no key update;
  if not p_brand_id = any (array(select private.my_owned_brand_ids())) then
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

revoke execute on function public.hand_over_brand(uuid, uuid) from public, anon, authenticated;
grant execute on function public.hand_over_brand(uuid, uuid) to authenticated;

-- With a brand go the copies of its deleted records: nobody is left who could bring them back.
create function private.empty_the_grave() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.tombstones t where t.brand_id = old.id;
  return null;
end
$$;
create trigger empty_the_grave after delete on public.brands for each row execute function private.empty_the_grave();

revoke execute on function private.empty_the_grave() from public;
