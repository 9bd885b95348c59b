-- Live events: before the bundled server looks at what somebody asked for, it asks who is in the brand at all, so that what
-- strangers ask for costs nothing. What each of them may hear is still private.may_hear's to say.
create function private.live_members(p_scopes uuid[]) returns table (scope uuid, member uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select m.brand_id, m.user_id from public.memberships m where m.brand_id = any (p_scopes);
end
$$;

revoke execute on function private.live_members(uuid[]) from public, anon, authenticated;
