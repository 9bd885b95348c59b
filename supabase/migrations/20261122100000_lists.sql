-- Lists by owner and in other orders; and whoever adds a record owns it.

-- Contacts by name, page by page. It also serves the order by first name alone.
create index contacts_by_name_idx on public.contacts (brand_id, first_name, last_name, id);
drop index public.contacts_by_first_name_idx;

create function private.assert_sort(p_sort text, p_known text[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_sort is null or p_sort <> all (p_known) then
    raise exception 'p_sort is one of %.', array_to_string(p_known, ', ') using errcode = '22023';
  end if;
end
$$;

-- The searches and the board anew: of one owner's records where p_owner_id is given, and in the order of p_sort (then newest
-- first, then by id; what has no name comes last). Without a text they are the sorted list.
drop function public.search_contacts(uuid, text, integer, integer);
create function public.search_contacts(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0,
  p_owner_id uuid default null, p_sort text default 'newest'
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.anywhere(coalesce(p_query, ''));
  -- A list, so that the planner sees how many there are: one scan of two indexes for a rare word, of the brand for a letter.
  v_companies uuid[];
begin
  perform private.assert_member(p_brand_id);
  perform private.assert_sort(p_sort, array['newest', 'name', 'email', 'company']);
  v_companies := array(select o.id from public.companies o where o.brand_id = p_brand_id and lower(o.name) like v_like);
  return (
    with hits as materialized (
      -- The plan knows p_sort: what is not sorted by is not read.
      select c.id, c.company_id, c.created_at,
        case p_sort when 'name' then c.first_name when 'email' then c.email_norm when 'company' then o.name end collate "und-x-icu" as first_key,
        case p_sort when 'name' then c.last_name end collate "und-x-icu" as second_key
      from public.contacts c
      left join public.companies o on p_sort = 'company' and o.brand_id = p_brand_id and o.id = c.company_id
      where c.brand_id = p_brand_id
        and (p_owner_id is null or c.owner_id = p_owner_id)
        and (
          lower((coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '') || ' ' || coalesce(c.email, '')) collate "und-x-icu") like v_like
          or c.company_id = any (v_companies)
        )
    ),
    page as materialized (
      select h.id, h.company_id, row_number() over (order by h.first_key, h.second_key, h.created_at desc, h.id) as place from hits h
      order by h.first_key, h.second_key, h.created_at desc, h.id
      limit private.page_size(p_limit) offset greatest(coalesce(p_offset, 0), 0)
    )
    select json_build_object(
      'total', (select count(*) from hits),
      'rows', private.contacts_json(p_brand_id, array(select p.id from page p order by p.place)),
      'companies', private.companies_json(p_brand_id, array(select distinct p.company_id from page p where p.company_id is not null order by 1))
    )
  );
end
$$;

drop function public.search_companies(uuid, text, integer, integer);
create function public.search_companies(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0,
  p_owner_id uuid default null, p_sort text default 'newest'
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.anywhere(coalesce(p_query, ''));
begin
  perform private.assert_member(p_brand_id);
  perform private.assert_sort(p_sort, array['newest', 'name']);
  return (
    with hits as materialized (
      select c.id, c.created_at, case p_sort when 'name' then c.name end as sort_key from public.companies c
      where c.brand_id = p_brand_id
        and (p_owner_id is null or c.owner_id = p_owner_id)
        and lower((c.name || ' ' || coalesce(c.domain, '') || ' ' || coalesce(c.website, '')) collate "und-x-icu") like v_like
    )
    select json_build_object(
      'total', (select count(*) from hits),
      'rows', private.companies_json(p_brand_id, array(
        select h.id from hits h
        order by h.sort_key, h.created_at desc, h.id limit private.page_size(p_limit) offset greatest(coalesce(p_offset, 0), 0)
      ))
    )
  );
end
$$;

drop function public.search_deals(uuid, text, integer, integer);
create function public.search_deals(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0, p_owner_id uuid default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.anywhere(coalesce(p_query, ''));
  v_companies uuid[];
  v_contacts uuid[];
begin
  perform private.assert_member(p_brand_id);
  v_companies := array(select o.id from public.companies o where o.brand_id = p_brand_id and lower(o.name) like v_like);
  v_contacts := array(
    -- The first condition is for the index, the second leaves the e-mail out again.
    select c.id from public.contacts c
    where c.brand_id = p_brand_id
      and lower((coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '') || ' ' || coalesce(c.email, '')) collate "und-x-icu") like v_like
      and lower((coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) collate "und-x-icu") like v_like
  );
  return (
    with hits as materialized (
      select d.id, d.created_at from public.deals d
      where d.brand_id = p_brand_id
        and (p_owner_id is null or d.owner_id = p_owner_id)
        and (lower(d.name) like v_like or d.company_id = any (v_companies) or d.contact_id = any (v_contacts))
    ),
    page as materialized (
      select d as deal from (
        select h.id, h.created_at from hits h
        order by h.created_at desc, h.id limit private.page_size(p_limit) offset greatest(coalesce(p_offset, 0), 0)
      ) h
      join public.deals d on d.brand_id = p_brand_id and d.id = h.id
    )
    select json_build_object(
      'total', (select count(*) from hits),
      'rows', coalesce((select json_agg(p.deal order by (p.deal).created_at desc, (p.deal).id) from page p), '[]'),
      'contacts', private.contacts_json(p_brand_id, array(select distinct (p.deal).contact_id from page p where (p.deal).contact_id is not null order by 1)),
      'companies', private.companies_json(p_brand_id, array(select distinct (p.deal).company_id from page p where (p.deal).company_id is not null order by 1))
    )
  );
end
$$;

drop function public.board(uuid, integer);
create function public.board(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    with cards as materialized (
      select d.* from public.deal_stages s
      cross join lateral (
        select * from public.deals d
        where d.brand_id = s.brand_id and d.stage_id = s.id and (p_owner_id is null or d.owner_id = p_owner_id)
        order by d.created_at desc, d.id
        limit least(greatest(coalesce(p_cards, 20), 0), 200)
      ) d
      where s.brand_id = p_brand_id
    )
    select json_build_object(
      'totals', coalesce((
        select json_agg(t order by t.stage_id, t.currency) from (
          select d.stage_id, d.amount_currency as currency, count(*) as count, sum(d.amount) as amount
          from public.deals d where d.brand_id = p_brand_id and (p_owner_id is null or d.owner_id = p_owner_id)
          group by d.stage_id, d.amount_currency
        ) t
      ), '[]'),
      'stages', coalesce((
        select json_agg(s order by s.position, s.id) from public.deal_stages s where s.brand_id = p_brand_id
      ), '[]'),
      'deals', coalesce((select json_agg(c order by c.created_at desc, c.id) from cards c), '[]'),
      'contacts', private.contacts_json(p_brand_id, array(select distinct c.contact_id from cards c where c.contact_id is not null order by 1)),
      'companies', private.companies_json(p_brand_id, array(select distinct c.company_id from cards c where c.company_id is not null order by 1))
    )
  );
end
$$;

-- As before, and a new contact belongs to who adds it; one that comes by an import to nobody.
create or replace function private.put_contact(
  p_brand_id uuid, p_email text, p_first text, p_last text, p_company text, p_id uuid, p_import_id uuid,
  out id uuid, out status text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_email text := private.trimmed(p_email);
  -- A variable of the column's collation, so that the index serves.
  v_email_norm text := lower(v_email collate "und-x-icu");
  v_first text := private.trimmed(p_first);
  v_last text := private.trimmed(p_last);
  v_company text := private.trimmed(p_company);
  v_problem text := private.contact_problem(v_email, v_first, v_last, v_company);
  v_company_id uuid;
  v_known public.contacts;
begin
  if v_problem is not null then
    raise exception '%', v_problem using errcode = '22023';
  end if;
  if v_company is not null then
    v_company_id := private.company_named(p_brand_id, v_company);
  end if;
  -- Again from the start where somebody else was faster with this address, or deletes it meanwhile.
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

-- As before, and the deal belongs to who adds it.
create or replace function public.quick_create_deal(p_brand_id uuid, p_name text, p_stage_id uuid, p_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.assert_member(p_brand_id);
  if private.trimmed(p_name) is null then
    raise exception 'Deal name is required' using errcode = '22023';
  end if;
  insert into public.deals as d (brand_id, id, name, owner_id, stage_id)
  values (
    p_brand_id,
    coalesce(p_id, gen_random_uuid()),
    p_name,
    case when p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end,
    coalesce(p_stage_id, (
      select s.id from public.deal_stages s where s.brand_id = p_brand_id order by s.position, s.id limit 1
    ))
  )
  returning d.id into v_id;
  return v_id;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.search_contacts(uuid, text, integer, integer, uuid, text),
  public.search_companies(uuid, text, integer, integer, uuid, text),
  public.search_deals(uuid, text, integer, integer, uuid), public.board(uuid, integer, uuid)
  from public, anon, authenticated;
grant execute on function public.search_contacts(uuid, text, integer, integer, uuid, text),
  public.search_companies(uuid, text, integer, integer, uuid, text),
  public.search_deals(uuid, text, integer, integer, uuid), public.board(uuid, integer, uuid)
  to authenticated, service_role;
