-- Search and sorted lists over a whole brand. Under row security no trigram index is used, because its operators may leak;
-- these functions check the membership and then filter by the brand themselves. The text is found anywhere, without regard
-- to case; % and _ mean themselves. Without a text they answer the sorted list.
-- p_owner_id: one owner's records. p_sort: the order, then newest first, then by id; records without that field come last.
-- Each answers { total, rows, … } with the records that the rows name.
-- `force_custom_plan`: a plan that does not know the text would read the whole brand.

create function private.page_size(p_limit integer) returns integer
language sql immutable set search_path = ''
as $$
  select least(greatest(coalesce(p_limit, 50), 1), 1000)
$$;

create function private.assert_sort(p_sort text, p_known text[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_sort is null or p_sort <> all (p_known) then
    raise exception 'p_sort is one of %.', array_to_string(p_known, ', ') using errcode = '22023';
  end if;
end
$$;

-- A contact is also found by the name of its company. Rows are numbered after the page is cut, so that many hits are not sorted.
create function public.search_contacts(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0,
  p_owner_id uuid default null, p_sort text default 'newest'
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.like_pattern(coalesce(p_query, ''));
  -- An array, so that the planner knows how many there are.
  v_companies uuid[];
begin
  perform private.assert_member(p_brand_id);
  perform private.assert_sort(p_sort, array['newest', 'name', 'email', 'company']);
  v_companies := array(select o.id from public.companies o where o.brand_id = p_brand_id and lower(o.name) like v_like);
  return (
    with hits as materialized (
      -- The planner knows p_sort: columns that are not sorted by are not read.
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
      select p.id, p.company_id, row_number() over (order by p.first_key, p.second_key, p.created_at desc, p.id) as place
      from (
        select * from hits h
        order by h.first_key, h.second_key, h.created_at desc, h.id
        limit private.page_size(p_limit) offset greatest(coalesce(p_offset, 0), 0)
      ) p
    )
    select json_build_object(
      'total', (select count(*) from hits),
      'rows', private.contacts_json(p_brand_id, array(select p.id from page p order by p.place)),
      'companies', private.companies_json(p_brand_id, array(select distinct p.company_id from page p where p.company_id is not null order by 1))
    )
  );
end
$$;

create function public.search_companies(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0,
  p_owner_id uuid default null, p_sort text default 'newest'
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.like_pattern(coalesce(p_query, ''));
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

-- A deal is also found by the name of its company and the name of its contact.
create function public.search_deals(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0, p_owner_id uuid default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.like_pattern(coalesce(p_query, ''));
  v_companies uuid[];
  v_contacts uuid[];
begin
  perform private.assert_member(p_brand_id);
  v_companies := array(select o.id from public.companies o where o.brand_id = p_brand_id and lower(o.name) like v_like);
  v_contacts := array(
    -- The first condition uses the index, the second leaves out hits in the e-mail.
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

revoke execute on all functions in schema private from public;
revoke execute on function public.search_contacts(uuid, text, integer, integer, uuid, text),
  public.search_companies(uuid, text, integer, integer, uuid, text),
  public.search_deals(uuid, text, integer, integer, uuid) from public, anon, authenticated;
grant execute on function public.search_contacts(uuid, text, integer, integer, uuid, text),
  public.search_companies(uuid, text, integer, integer, uuid, text),
  public.search_deals(uuid, text, integer, integer, uuid) to authenticated, service_role;
