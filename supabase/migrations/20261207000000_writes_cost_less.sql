-- What a write costs: the rights of the caller in one statement, no trigger runs where it has nothing to do, and what a record is
-- searched by comes from functions that keep their plans. docs/performance.md has the figures, decision 057 the reasons.

-- THE CALLER'S RIGHTS

-- The brands in which the caller has at least this role (member, admin, owner) and that are open to this session: it has not
-- ended, and is proved as well as the user's factors and the brand demand. Policies call it once a statement:
-- `brand_id = any (array(select private.my_brand_ids('admin')))`; any other form is evaluated once a row. It repeats the
-- conditions of session_level() in one statement with the memberships: nearly every request runs it, an update twice.
create or replace function private.my_brand_ids(p_role text default 'member') returns setof uuid
language plpgsql stable security definer set search_path = '' rows 10
as $$
declare
  v_claims jsonb := auth.jwt();
  v_user uuid := (v_claims ->> 'sub')::uuid;
  v_roles text[] := case p_role
    when 'member' then array['member', 'admin', 'owner'] when 'admin' then array['admin', 'owner'] when 'owner' then array['owner']
  end;
begin
  return query
    select m.brand_id
    from auth.sessions s
    join public.memberships m on m.user_id = s.user_id
    join public.brands b on b.id = m.brand_id
    where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
      and (s.not_after is null or s.not_after > now())
      and m.user_id = v_user and m.role = any (v_roles)
      and case
        when s.aal::text in ('aal2', 'aal3') and v_claims ->> 'aal' in ('aal2', 'aal3') then true
        when exists (select from auth.mfa_factors f where f.user_id = v_user and f.status = 'verified') then false
        else not b.requires_second_factor
      end;
end
$$;

-- WORDS

-- Without `set`, so that these two are inlined into folded_forms, which has a search path: before version 18, PostgreSQL plans
-- a function in SQL that is not inlined again at every call.
create or replace function private.without_accents(p_text text) returns text
language sql immutable parallel safe
as $$
  select pg_catalog.regexp_replace(
    normalize(pg_catalog.translate(pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(p_text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðıς', 'olddiσ'), nfd),
    '[\u0300-\u036f]', '', 'g')
$$;

create or replace function private.spelled_out(p_text text) returns text
language sql immutable parallel safe
as $$
  select pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(p_text, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')
$$;

create or replace function private.contact_words(p_contact public.contacts) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_company text;
begin
  if p_contact.company_id is not null then
    select o.name into v_company from public.companies o where o.brand_id = p_contact.brand_id and o.id = p_contact.company_id;
  end if;
  return array_to_string(private.folded_forms(concat_ws(' ',
    p_contact.first_name, p_contact.last_name, p_contact.email, p_contact.title, translate(p_contact.phone, ' +()-/.', ''), v_company)), ' ');
end
$$;

create or replace function private.company_words(p_company public.companies) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return array_to_string(private.folded_forms(concat_ws(' ', p_company.name, p_company.domain, p_company.website)), ' ');
end
$$;

create or replace function private.deal_words(p_deal public.deals) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_contact text;
  v_company text;
begin
  if p_deal.contact_id is not null then
    select concat_ws(' ', c.first_name, c.last_name) into v_contact
    from public.contacts c where c.brand_id = p_deal.brand_id and c.id = p_deal.contact_id;
  end if;
  if p_deal.company_id is not null then
    select o.name into v_company from public.companies o where o.brand_id = p_deal.brand_id and o.id = p_deal.company_id;
  end if;
  return array_to_string(private.folded_forms(concat_ws(' ', p_deal.name, v_contact, v_company)), ' ');
end
$$;

-- New records of a statement get their words at once: a statement for each row was a sixth of an import. By then every key of a
-- row has locked what it names (lock_against_links).
create function private.add_contact_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.contacts_words as w select n.brand_id, n.id, private.contact_words(n::public.contacts) from arrived n
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create function private.add_company_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.companies_words as w select n.brand_id, n.id, private.company_words(n::public.companies) from arrived n
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create function private.add_deal_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deals_words as w select n.brand_id, n.id, private.deal_words(n::public.deals) from arrived n
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
drop trigger write_words on public.contacts;
create trigger add_words after insert on public.contacts referencing new table as arrived
  for each statement execute function private.add_contact_words();
create trigger write_words after update of first_name, last_name, email, title, phone, company_id on public.contacts
  for each row execute function private.write_contact_words();
drop trigger write_words on public.companies;
create trigger add_words after insert on public.companies referencing new table as arrived
  for each statement execute function private.add_company_words();
create trigger write_words after update of name, domain, website on public.companies
  for each row execute function private.write_company_words();
drop trigger write_words on public.deals;
create trigger add_words after insert on public.deals referencing new table as arrived
  for each statement execute function private.add_deal_words();
create trigger write_words after update of name, contact_id, company_id on public.deals
  for each row execute function private.write_deal_words();

-- HISTORY

create or replace function private.note_stage_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    insert into public.deal_stage_changes (brand_id, deal_id, from_stage_id, to_stage_id, changed_by)
    values (new.brand_id, new.id, old.stage_id, new.stage_id, auth.uid());
  else
    -- A restored deal continues its history.
    insert into public.deal_stage_changes (brand_id, deal_id, to_stage_id, changed_by)
    select new.brand_id, new.id, new.stage_id, auth.uid()
    where new.stage_id is distinct from (
      select c.to_stage_id from public.deal_stage_changes c
      where c.brand_id = new.brand_id and c.deal_id = new.id order by c.changed_at desc, c.id desc limit 1
    );
  end if;
  return null;
end
$$;

-- DELETED ROWS

-- After rows were inserted: an id that comes back has no tombstone any more and continues its version. Most ids are new, and a
-- look is cheaper than a delete that finds nothing. (A table always takes the same branch, so the other one is never planned.)
create or replace function private.clear_tombstone() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_back private.tombstones[];
begin
  if tg_argv[0] = 'id' then
    if not exists (
      select from arrived n join private.tombstones t on t.brand_id = n.brand_id and t.table_name = tg_table_name and t.row_id = n.id
    ) then
      return null;
    end if;
    with back as (
      delete from private.tombstones t using arrived n
      where t.brand_id = n.brand_id and t.table_name = tg_table_name and t.row_id = n.id returning t.*
    )
    select array_agg(back::private.tombstones) into v_back from back;
  else
    with back as (
      delete from private.tombstones t using arrived n
      where t.brand_id = n.brand_id and t.table_name = tg_table_name and t.row_id = n.user_id returning t.*
    )
    select array_agg(back::private.tombstones) into v_back from back;
  end if;
  if v_back is not null then
    execute format('update public.%1$I r set version = b.version from unnest($1) b
      where r.brand_id = b.brand_id and r.%2$I = b.row_id and r.version <= b.version', tg_table_name, tg_argv[0])
    using v_back;
  end if;
  return null;
end
$$;

revoke execute on all functions in schema private from public;
