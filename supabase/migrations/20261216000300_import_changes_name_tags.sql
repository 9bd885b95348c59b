-- The changes of an import name the tags that it gave, too.

-- The values of a contact (private.import_values) as people read them: the company and the tags by their names.
create or replace function private.import_values_read(p_brand_id uuid, p_values jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select p_values - 'company_id' - 'tag_ids' || jsonb_build_object(
    'company', (
      select o.name from public.companies o where o.brand_id = p_brand_id and o.id = (p_values ->> 'company_id')::uuid
    ),
    'tags', (
      select string_agg(t.name, ', ' order by lower(t.name), t.id) from public.tags t
      where t.brand_id = p_brand_id and t.id in (select e.id::uuid from jsonb_array_elements_text(p_values -> 'tag_ids') e (id))
    )
  )
$$;
revoke execute on function private.import_values_read(uuid, jsonb) from public;
