-- Contacts: people, identified in a brand by their e-mail address.

create table public.contacts (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  first_name text collate "und-x-icu" check (length(first_name) <= 200),
  last_name text collate "und-x-icu" check (length(last_name) <= 200),
  email text check (length(email) between 3 and 320 and email ~ '^[^@]+@[^@]+$'),
  phone text check (length(phone) <= 50),
  title text check (length(title) <= 200),
  company_id uuid,
  owner_id uuid,
  import_id uuid,
  -- The address in lower case: one contact for each. Text, because under row security only `text =` reaches an index. Set by
  -- a trigger, because PostgreSQL 18 refuses to publish the old row of a table with a generated column.
  email_norm text,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id),
  constraint contacts_email_key unique (brand_id, email_norm),
  foreign key (brand_id, company_id) references public.companies on delete set null (company_id),
  foreign key (brand_id, owner_id) references public.memberships on delete set null (owner_id)
);
create index contacts_newest_idx on public.contacts (brand_id, created_at desc, id);
-- It also serves the order by first name alone.
create index contacts_by_name_idx on public.contacts (brand_id, first_name, last_name, id);
create index contacts_by_company_idx on public.contacts (brand_id, company_id) where company_id is not null;
create index contacts_by_owner_idx on public.contacts (brand_id, owner_id) where owner_id is not null;
create index contacts_by_words_idx on public.contacts using gin (
  brand_id,
  lower((coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '')) collate "und-x-icu") extensions.gin_trgm_ops
);

create function private.tidy_contact() returns trigger
language plpgsql
as $$
begin
  new.first_name := private.name_or_null(new.first_name);
  new.last_name := private.name_or_null(new.last_name);
  new.email := private.trimmed(new.email);
  -- Stored and restored addresses are left as they are.
  if (tg_op = 'INSERT' or new.email is distinct from old.email) and private.has_invisible(new.email)
    and coalesce(current_setting('private.restoring', true), '') = '' then
    raise exception 'The email has an invisible character in it. Type it again by hand.' using errcode = '22023';
  end if;
  new.email_norm := lower(new.email collate "und-x-icu");
  new.phone := private.trimmed(new.phone);
  new.title := private.trimmed(new.title);
  return new;
end
$$;
create trigger tidy before insert or update on public.contacts for each row execute function private.tidy_contact();

call private.keep_in_sync('public.contacts', p_kept_back => array['email_norm']);

revoke all on public.contacts from public, anon, authenticated;
grant select on public.contacts to authenticated;
grant insert (id, brand_id, first_name, last_name, email, phone, title, company_id, owner_id),
  update (first_name, last_name, email, phone, title, company_id, owner_id), delete on public.contacts to authenticated;
grant select, insert, update, delete on public.contacts to service_role;

alter table public.contacts enable row level security;
create policy "members see the contacts of their brands" on public.contacts for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add contacts to their brands" on public.contacts for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the contacts of their brands" on public.contacts for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete contacts of their brands" on public.contacts for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every contact" on public.contacts to service_role using (true);

-- What is wrong with a contact that somebody wants to add, or null: one rule for the form and the import. Texts are trimmed.
create function private.contact_problem(p_email text, p_first text, p_last text, p_company text) returns text
language sql immutable
as $$
  select case
    when p_email is null then 'Email is required'
    when length(p_email) not between 3 and 320 or p_email !~ '^[^@]+@[^@]+$'
      then 'An email has 3 to 320 characters and one @ inside'
    when private.has_invisible(p_email) then 'The email has an invisible character in it. Type it again by hand.'
    when length(p_first) > 200 then 'The first name is longer than 200 characters'
    when length(p_last) > 200 then 'The last name is longer than 200 characters'
    when length(p_company) > 200 then 'The company name is longer than 200 characters'
  end
$$;

-- What upsert_contact and the import do with one row. A null name or company keeps what is stored, and so does the spelling of
-- the e-mail. Where nothing changes, nothing is written. A new contact belongs to the caller; an imported one to nobody.
create function private.upsert_contact_row(
  p_brand_id uuid, p_email text, p_first text, p_last text, p_company text, p_id uuid, p_import_id uuid,
  out id uuid, out status text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_email text := private.trimmed(p_email);
  -- With the column's collation, so that the index is used.
  v_email_norm text := lower(v_email collate "und-x-icu");
  v_first text := private.name_or_null(p_first);
  v_last text := private.name_or_null(p_last);
  v_company text := private.name_or_null(p_company);
  v_problem text := private.contact_problem(v_email, v_first, v_last, v_company);
  v_company_id uuid;
  v_known public.contacts;
begin
  if v_problem is not null then
    raise exception '%', v_problem using errcode = '22023';
  end if;
  if v_company is not null then
    v_company_id := private.find_or_create_company(p_brand_id, v_company);
  end if;
  -- Starts again where another transaction inserted or deleted this address meanwhile.
  loop
    select * into v_known from public.contacts c
    where c.brand_id = p_brand_id and c.email_norm = v_email_norm;
    if not found then
      insert into public.contacts as c (brand_id, id, email, first_name, last_name, company_id, import_id, owner_id)
      values (
        p_brand_id, coalesce(p_id, gen_random_uuid()), v_email, v_first, v_last, v_company_id, p_import_id,
        case when p_import_id is null and p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end
      )
      on conflict (brand_id, email_norm) do nothing
      returning c.id into id;
      status := 'created';
    elsif (v_first is not null and v_known.first_name is distinct from v_first)
      or (v_last is not null and v_known.last_name is distinct from v_last)
      or (v_company_id is not null and v_known.company_id is distinct from v_company_id)
    then
      update public.contacts c
      set first_name = coalesce(v_first, c.first_name),
          last_name = coalesce(v_last, c.last_name),
          company_id = coalesce(v_company_id, c.company_id)
      where c.brand_id = p_brand_id and c.id = v_known.id
      returning c.id into id;
      status := 'updated';
    else
      id := v_known.id;
      status := 'unchanged';
    end if;
    exit when id is not null;
  end loop;
end
$$;

-- Adds a contact, or completes the one with that e-mail; returns its id. `p_id` is the id of a new one.
create function public.upsert_contact(
  p_brand_id uuid, p_email text, p_first text default null, p_last text default null, p_company_name text default null,
  p_id uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (private.upsert_contact_row(p_brand_id, p_email, p_first, p_last, p_company_name, p_id, null)).id;
end
$$;

-- These contacts as `pull` answers them, in the order of the ids.
create function private.contacts_json(p_brand_id uuid, p_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(json_agg(to_jsonb(c) - 'email_norm' order by i.place), '[]')
    from unnest(p_ids) with ordinality i (id, place)
    join public.contacts c on c.brand_id = p_brand_id and c.id = i.id
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.upsert_contact(uuid, text, text, text, text, uuid) from public, anon, authenticated;
grant execute on function public.upsert_contact(uuid, text, text, text, text, uuid) to authenticated, service_role;
