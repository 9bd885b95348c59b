-- Who has left a brand, or was removed from it, is still named by the history of its records. The name goes with the account, with the brand,
-- and when the person comes back.

create table private.former_members (
  brand_id uuid not null references public.brands on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  display_name text not null,
  left_at timestamptz not null default now(),
  primary key (brand_id, user_id)
);
create index former_members_by_user_idx on private.former_members (user_id);
alter table private.former_members enable row level security;
revoke all on private.former_members from public, anon, authenticated, service_role;

-- Those of before, from the audit log.
insert into private.former_members (brand_id, user_id, display_name, left_at)
select distinct on (e.brand_id, u.id) e.brand_id, u.id, e.detail ->> 'name', e.at
from private.brand_events e
join public.brands b on b.id = e.brand_id
join auth.users u on u.id::text = e.detail ->> 'user_id'
where e.event in ('member_left', 'member_removed') and e.detail ->> 'name' is not null
  and not exists (select from public.memberships m where m.brand_id = e.brand_id and m.user_id = u.id)
order by e.brand_id, u.id, e.at desc;

-- Where the account or the whole brand is deleted, nothing is kept.
create function private.keep_name_of_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    delete from private.former_members f where f.brand_id = new.brand_id and f.user_id = new.user_id;
  elsif exists (select from public.brands b where b.id = old.brand_id) and exists (select from auth.users u where u.id = old.user_id) then
    insert into private.former_members as f (brand_id, user_id, display_name)
    values (old.brand_id, old.user_id, old.display_name)
    on conflict (brand_id, user_id) do update set display_name = excluded.display_name, left_at = excluded.left_at;
  end if;
  return null;
end
$$;
create trigger keep_name after insert or delete on public.memberships
  for each row execute function private.keep_name_of_member();

-- Of these people [{ id, name }] who were members of the brand, as they were called in it last. For its members.
create function public.former_members(p_brand_id uuid, p_user_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  if cardinality(p_user_ids) > 100 then
    raise exception 'At most 100 people are answered at a time.' using errcode = '22023';
  end if;
  return (
    select coalesce(json_agg(json_build_object('id', f.user_id, 'name', f.display_name) order by f.user_id), '[]')
    from private.former_members f
    where f.brand_id = p_brand_id and f.user_id = any (p_user_ids)
  );
end
$$;

revoke execute on function private.keep_name_of_member() from public;
revoke execute on function public.former_members(uuid, uuid[]) from public, anon, authenticated;
grant execute on function public.former_members(uuid, uuid[]) to authenticated, service_role;
