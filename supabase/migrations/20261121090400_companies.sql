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
-- upsert_contact finds a company by its name without case.
create index companies_by_folded_name_idx on public.companies (brand_id, lower(name), created_at, id);
create index companies_by_owner_idx on public.companies (brand_id, owner_id) where owner_id is not null;
create index companies_by_words_idx on public.companies using gin (
  brand_id,
  lower((name || ' ' || coalesce(domain, '') || ' ' || coalesce(website, '')) collate "und-x-icu") extensions.gin_trgm_ops
);
-- Contacts and deals are found by their company's name alone.
create index companies_by_name_words_idx on public.companies using gin (brand_id, lower(name) extensions.gin_trgm_ops);

create function private.tidy_company() returns trigger
language plpgsql
as $$
begin
  new.name := coalesce(private.trimmed(new.name), '');
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

-- The id of the company of that name (trimmed already), compared without case; the oldest wins; made where there is none.
-- The lock, one a brand, keeps two requests from making it twice.
create function private.company_named(p_brand_id uuid, p_name text) returns uuid
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

create function private.lock_companies(p_brand_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('companies ' || p_brand_id, 0))
$$;

revoke execute on all functions in schema private from public;
