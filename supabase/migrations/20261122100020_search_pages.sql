-- A page of many hits without sorting all of them: numbered after it is cut, not before.
create or replace function public.search_contacts(
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
