-- While more is asked than the database can do, the server lets teams take turns, and then the users of a team. A team is a brand: of several the one
-- with the most members, so that to found a brand of one's own brings no further turns. A user who was added and has not opened the brand is not in it.
create function private.teams_of(p_users uuid[]) returns table (user_id uuid, team uuid)
language sql stable set search_path = ''
as $$
  select distinct on (m.user_id) m.user_id, m.brand_id
  from public.memberships m
  where m.user_id = any (p_users) and m.opened_at is not null
  order by m.user_id, (select count(*) from public.memberships o where o.brand_id = m.brand_id and o.opened_at is not null) desc, m.brand_id
$$;
revoke execute on function private.teams_of(uuid[]) from public;
