-- Brands. Every record belongs to one, and is seen through a membership in it.

create table public.brands (
  id uuid primary key default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 200),
  slug text not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  requires_second_factor boolean not null default false,
  constraint brands_slug_key unique (slug)
);

-- One row for each brand that ever existed; it is never deleted. Clients choose ids, and every former member knows theirs:
-- a new brand under an old id would inherit what still carries the id (the audit log, a topic, an old device). No foreign
-- key, so that the row outlives the brand, in backups too.
create table private.brand_lives (
  id uuid primary key,
  founded_at timestamptz not null default now(),
  ended_at timestamptz
);

-- THE CALLER'S RIGHTS

-- The brands in which the caller has at least this role (member, admin, owner) and that are open to this session: it has not
-- ended, and is proved as well as the user's factors and the brand demand. Policies call it once a statement:
-- `brand_id = any (array(select private.my_brand_ids('admin')))`; any other form is evaluated once a row. It repeats the
-- statement of session_level(): nearly every request runs it, and one more call would cost measurable time.
create function private.my_brand_ids(p_role text default 'member') returns setof uuid
language plpgsql stable security definer set search_path = '' rows 10
as $$
declare
  v_claims jsonb := auth.jwt();
  v_user uuid := (v_claims ->> 'sub')::uuid;
  v_roles text[] := case p_role
    when 'member' then array['member', 'admin', 'owner'] when 'admin' then array['admin', 'owner'] when 'owner' then array['owner']
  end;
  v_level integer;
begin
  select case
    when s.aal::text in ('aal2', 'aal3') and v_claims ->> 'aal' in ('aal2', 'aal3') then 2
    when exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified') then 0
    else 1
  end into v_level
  from auth.sessions s
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
    and (s.not_after is null or s.not_after > now());
  if v_level >= 1 then
    return query
      select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
      where m.user_id = v_user and m.role = any (v_roles) and (v_level = 2 or not b.requires_second_factor);
  end if;
end
$$;

-- For functions that bypass row security: refuses callers without this role before anything is read. Raises
-- SECOND_FACTOR_REQUIRED to members who still have to prove a factor, and NOT_AUTHORIZED to everybody else; a device that
-- gets NOT_AUTHORIZED wipes the brand. Generic plan: searches force custom plans, and these statements do not need them.
create function private.assert_role(p_brand_id uuid, p_role text) returns void
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  if private.is_service() or p_brand_id = any (array(select private.my_brand_ids(p_role))) then
    return;
  end if;
  perform private.assert_session();
  if exists (
    select from public.memberships m join public.brands b on b.id = m.brand_id
    where m.brand_id = p_brand_id and m.user_id = private.caller_id()
      and private.session_level() < case when b.requires_second_factor then 2 else 1 end
  ) then
    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';
  end if;
  raise exception 'NOT_AUTHORIZED';
end
$$;

create function private.assert_member(p_brand_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, 'member');
end
$$;

-- NAME, SLUG AND ID

-- The slug is the name in lower case, with one hyphen for each run of characters that are neither letter nor digit in any
-- script. What the client sends is ignored: JavaScript and PostgreSQL differ in what a letter is. Invisible characters do not
-- count, so names that look the same have one slug. A slug changes only with the name.
create function private.tidy_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.name is not distinct from old.name then
    new.slug := old.slug;
    return new;
  end if;
  new.name := private.required_name(new.name);
  new.slug := regexp_replace(
    regexp_replace(lower(new.name), '[' || private.invisible_characters() || ']', '', 'g'), '[^[:alnum:]]+', '-', 'g');
  return new;
end
$$;
create trigger tidy before insert or update on public.brands for each row execute function private.tidy_brand();

-- Refuses an id that a brand had before, whoever asks. The error is the same as for an id in use, so that a stranger learns
-- nothing from it.
create function private.begin_brand_life() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.brand_lives (id) values (new.id) on conflict do nothing;
  if not found then
    raise exception 'duplicate key value violates unique constraint "brands_pkey"' using
      errcode = '23505', schema = 'public', table = 'brands', constraint = 'brands_pkey';
  end if;
  return null;
end
$$;
-- The first trigger by name: nothing else is done for an id that is taken.
create trigger begin_life after insert on public.brands for each row execute function private.begin_brand_life();
create trigger begin_life_of_new_id after update of id on public.brands
  for each row when (new.id <> old.id) execute function private.begin_brand_life();

create function private.end_brand_life() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.brand_lives l set ended_at = now() where l.id = old.id;
  return null;
end
$$;
create trigger end_life after delete on public.brands for each row execute function private.end_brand_life();
create trigger end_life_of_old_id after update of id on public.brands
  for each row when (new.id <> old.id) execute function private.end_brand_life();

-- Deleting a row would free the id.
create function private.keep_brand_lives() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The list of brands that ever were is only ever added to.' using errcode = '42501';
end
$$;
create trigger keep before delete on private.brand_lives for each row execute function private.keep_brand_lives();
create trigger keep_all before truncate on private.brand_lives for each statement execute function private.keep_brand_lives();

-- The copies of deleted records are deleted with their brand.
create function private.delete_tombstones_of_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.tombstones t where t.brand_id = old.id;
  return null;
end
$$;
create trigger delete_tombstones after delete on public.brands
  for each row execute function private.delete_tombstones_of_brand();

call private.keep_in_sync('public.brands');

-- Supabase grants everything on new tables; here each right is named.
revoke all on public.brands from public, anon, authenticated;
revoke all on private.brand_lives from public, anon, authenticated;
grant select on public.brands to authenticated;
grant insert (id, name, slug), update (name), delete on public.brands to authenticated;
grant select, insert, update, delete on public.brands to service_role;
revoke execute on all functions in schema private from public;
grant execute on function private.my_brand_ids(text) to authenticated, service_role;

alter table public.brands enable row level security;
create policy "members see their brands" on public.brands for select to authenticated
  using (id = any (array(select private.my_brand_ids())));
-- The only policy without a brand: the brand does not exist yet. The session has to be proved as well as it can be.
create policy "whoever is signed in may found a brand" on public.brands for insert to authenticated
  with check ((select private.session_level()) >= 1);
create policy "owners rename their brands" on public.brands for update to authenticated
  using (id = any (array(select private.my_brand_ids('owner'))));
create policy "owners delete their brands" on public.brands for delete to authenticated
  using (id = any (array(select private.my_brand_ids('owner'))));
create policy "the secret key sees every brand" on public.brands to service_role using (true);
