-- What an import changes in contacts of before names their tags, too.

-- The values of a contact (private.import_values) as people read them: the company and the tags by their names.
create or replace function private.import_values_read(p_brand_id uuid, p_values jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select p_values - array['company_id', 'tag_ids'] || jsonb_build_object(
    'company', (select o.name from public.companies o where o.brand_id = p_brand_id and o.id = (p_values ->> 'company_id')::uuid),
    'tags', (
      select string_agg(t.name, ', ' order by t.name collate private.by_name) from public.tags t
      where t.brand_id = p_brand_id and t.id = any (array(select jsonb_array_elements_text(p_values -> 'tag_ids')::uuid))
    )
  )
$$;

-- What import_contacts would change with these rows (as it takes them, at most 5,000) in contacts that are known, in the order of the
-- rows: [{ id, email, before, after }]. Of rows with one address the later values count, and the tags of
-- all. Writes nothing.
create or replace function public.preview_import(p_brand_id uuid, p_rows jsonb) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  perform private.assert_member(p_brand_id);
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 5000 then
    raise exception 'p_rows is a list of at most 5000 rows.' using errcode = '22023';
  end if;
  return (
    with wanted as materialized (
      select min(r.place) as place, r.email_norm, jsonb_strip_nulls(jsonb_build_object(
          'first_name', (array_agg(r.first_name order by r.place desc) filter (where r.first_name is not null))[1],
          'last_name', (array_agg(r.last_name order by r.place desc) filter (where r.last_name is not null))[1],
          'phone', (array_agg(r.phone order by r.place desc) filter (where r.phone is not null))[1],
          'title', (array_agg(r.title order by r.place desc) filter (where r.title is not null))[1],
          'company', (array_agg(r.company order by r.place desc) filter (where r.company is not null))[1]
        )) as given, array_agg(r.place) as places
      from private.parse_import(p_brand_id, p_rows) r
      where r.problem is null and r.email_norm is not null
      group by r.email_norm
    ),
    tagged as materialized (
      select m.place, m.name, m.id from private.imported_tags(p_brand_id, p_rows) m
      where m.id is not null or length(m.name) <= 50 and (private.is_service() or p_brand_id = any (array(select private.my_brand_ids('admin'))))
    ),
    known as (
      select w.place, c.id, c.email, private.import_values_read(p_brand_id, private.import_values(c)) as before,
        -- A company that is there already, in its spelling, whatever the case is in the file.
        w.given || jsonb_strip_nulls(jsonb_build_object('company', (
          select o.name from public.companies o
          where o.brand_id = p_brand_id and lower(o.name) = lower((w.given ->> 'company') collate "und-x-icu") order by o.created_at, o.id limit 1
        )))
        -- Tags come beside those that it has.
        || jsonb_strip_nulls(jsonb_build_object('tags', (
          select string_agg(n.name, ', ' order by n.name collate private.by_name)
          from (
            select t.name from public.tags t where t.brand_id = p_brand_id and (
              t.id = any (c.tag_ids) or t.id in (select g.id from tagged g where g.place = any (w.places)))
            union all
            select (array_agg(g.name order by g.place))[1] from tagged g where g.place = any (w.places) and g.id is null group by lower(g.name collate "und-x-icu")
          ) n
        ))) as given
      from wanted w cross join lateral (
        -- One index look-up for each row, however large the brand is.
        select c.* from public.contacts c where c.brand_id = p_brand_id and c.email_norm = w.email_norm limit 1
      ) c
    )
    select coalesce(json_agg(json_build_object('id', k.id, 'email', k.email, 'before', k.before, 'after', k.before || k.given) order by k.place), '[]')
    from known k where not k.before @> k.given
  );
end
$$;
