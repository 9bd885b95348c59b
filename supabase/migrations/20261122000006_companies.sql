-- Companies that a brand deals with.

create table public.companies (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 200),
  domain text check (length(domain) <= 253),
  phone text check (length(phone) <= 50),
  website text check (length(website) <= 2000),
  notes text check (length(notes) <= 10000),
  owner_id uuid,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id),
  foreign key (brand_id, owner_id) references public.memberships on delete set null (owner_id)
);
create index companies_newest_idx on public.companies (brand_id, created_at desc, id);
create index companies_by_name_idx on public.companies (brand_id, name);
-- upsert_contact finds a company by its name without regard to case.
create index companies_by_folded_name_idx on public.companies (brand_id, lower(name), created_at, id);
create index companies_by_owner_idx on public.companies (brand_id, owner_id) where owner_id is not null;
create index companies_by_words_idx on public.companies using gin (
  brand_id,
  lower((name || ' ' || coalesce(domain, '') || ' ' || coalesce(website, '')) collate "und-x-icu") extensions.gin_trgm_ops
);
-- Contacts and deals are found by the name of their company alone.
create index companies_by_name_words_idx on public.companies using gin (brand_id, lower(name) extensions.gin_trgm_ops);

create function private.tidy_company() returns trigger
language plpgsql
as $$
begin
  new.name := private.required_name(new.name);
  new.domain := private.trimmed(new.domain);
  new.phone := private.trimmed(new.phone);
  new.website := private.trimmed(new.website);
  new.notes := private.trimmed(new.notes);
  return new;
end
$$;
create trigger tidy before insert or update on public.companies for each row execute function private.tidy_company();

call private.keep_in_sync('public.companies');

revoke all on public.companies from public, anon, authenticated;
grant select on public.companies to authenticated;
grant insert (id, brand_id, name, domain, phone, website, notes, owner_id),
  update (name, domain, phone, website, notes, owner_id), delete on public.companies to authenticated;
grant select, insert, update, delete on public.companies to service_role;

alter table public.companies enable row level security;
create policy "members see the companies of their brands" on public.companies for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add companies to their brands" on public.companies for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the companies of their brands" on public.companies for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete companies of their brands" on public.companies for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every company" on public.companies to service_role using (true);

-- The lock, one a brand, under which companies are looked up again and created: two requests never create one name twice.
create function private.lock_companies(p_brand_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('companies ' || p_brand_id, 0));
end
$$;

-- The id of the company with this name (trimmed already), compared without regard to case; the oldest one wins. Creates it
-- where there is none.
create function private.find_or_create_company(p_brand_id uuid, p_name text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  for i in 1..2 loop
    select c.id into v_id from public.companies c
    where c.brand_id = p_brand_id and lower(c.name) = lower(p_name collate "und-x-icu")
    order by c.created_at, c.id limit 1;
    if found then
      return v_id;
    end if;
    if i = 1 then
      perform private.lock_companies(p_brand_id);
    end if;
  end loop;
  insert into public.companies (brand_id, name) values (p_brand_id, p_name) returning id into v_id;
  return v_id;
end
$$;

-- These companies as `pull` answers them, in the order of the ids. Raises 54000 where they are larger than an answer may be.
create function private.companies_json(p_brand_id uuid, p_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most constant integer := private.answer_bytes();
  v_rows json;
  v_bytes bigint;
begin
  -- `offset 0`: each row's JSON is made once.
  select coalesce(json_agg(s.data order by s.place) filter (where s.bytes <= v_most), '[]'), max(s.bytes) into v_rows, v_bytes
  from (
    select r.place, r.data, sum(pg_column_size(r.data)) over (order by r.place rows unbounded preceding) as bytes
    from (
      select i.place, to_json(c) as data
      from unnest(p_ids) with ordinality i (id, place)
      join public.companies c on c.brand_id = p_brand_id and c.id = i.id
      offset 0
    ) r
  ) s;
  perform private.assert_answer_size(v_bytes);
  return v_rows;
end
$$;

revoke execute on all functions in schema private from public;
