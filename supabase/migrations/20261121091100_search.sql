-- Search over a whole brand. Under row security no trigram index is used (its operators may leak), so these functions check
-- the membership and then filter on the brand themselves. The text is found anywhere, without regard to case; % and _ mean
-- themselves. Newest first, then by id. Each answers { total, rows, … } with the records that the rows name.
-- `force_custom_plan`: a plan made without knowing the text would read the whole brand.

create function public.search_contacts(p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0)
returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.anywhere(coalesce(p_query, ''));
  -- A list, so that the planner sees how many there are: one scan of two indexes for a rare word, of the brand for a letter.
  v_companies uuid[];
begin
  perform private.assert_member(p_brand_id);
  v_companies := array(select o.id from public.companies o where o.brand_id = p_brand_id and lower(o.name) like v_like);
  return (
    with hits as materialized (
      select c.id, c.company_id, c.created_at from public.contacts c
      where c.brand_id = p_brand_id
        and (
          lower((coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '') || ' ' || coalesce(c.email, '')) collate "und-x-icu") like v_like
          or c.company_id = any (v_companies)
        )
    ),
    page as materialized (
      select h.id, h.company_id, row_number() over (order by h.created_at desc, h.id) as place from hits h
      order by h.created_at desc, h.id limit private.page_size(p_limit) offset greatest(coalesce(p_offset, 0), 0)
    )
    select json_build_object(
      'total', (select count(*) from hits),
      'rows', private.contacts_json(p_brand_id, array(select p.id from page p order by p.place)),
      'companies', private.companies_json(p_brand_id, array(select distinct p.company_id from page p where p.company_id is not null order by 1))
    )
  );
end
$$;

create function public.search_companies(p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0)
returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_like text := private.anywhere(coalesce(p_query, ''));
begin
  perform private.assert_member(p_brand_id);
  return (
    with hits as materialized (
      select c.id, c.created_at from public.companies c
      where c.brand_id = p_brand_id
        and lower((c.name || ' ' || coalesce(c.domain, '') || ' ' || coalesce(c.website, '')) collate "und-x-icu") like v_like
    )
    select json_build_object(
      'total', (select count(*) from hits),
      'rows', private.companies_json(p_brand_id, array(
        select h.id from hits h
        order by h.created_at desc, h.id limit private.page_size(p_limit) offset greatest(coalesce(p_offset, 0), 0)
      ))
    )
  );
end
$$;

create function public.search_deals(p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0)
returns json
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

create function private.page_size(p_limit integer) returns integer
language sql immutable set search_path = ''
as $$
  select least(greatest(coalesce(p_limit, 50), 1), 1000)
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.search_contacts(uuid, text, integer, integer),
  public.search_companies(uuid, text, integer, integer), public.search_deals(uuid, text, integer, integer)
  from public, anon, authenticated;
grant execute on function public.search_contacts(uuid, text, integer, integer),
  public.search_companies(uuid, text, integer, integer), public.search_deals(uuid, text, integer, integer)
  to authenticated, service_role;
