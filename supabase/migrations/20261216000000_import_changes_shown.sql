-- What an import changes in contacts of before, field by field: before it starts, and in its report.

-- The values of a contact (private.import_values) as people read them: the company by its name.
create function private.import_values_read(p_brand_id uuid, p_values jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select p_values - 'company_id' || jsonb_build_object('company', (
    select o.name from public.companies o where o.brand_id = p_brand_id and o.id = (p_values ->> 'company_id')::uuid
  ))
$$;

-- The contacts of before that an import has changed, the first 200 by name: { count, contacts: [{ id, email, before, after,
-- changed_since }] }. `after` is what they hold now; `changed_since`: somebody or a later import has changed them since. Nothing of
-- an import that is undone or one of long ago.
create function public.import_changes(p_brand_id uuid, p_import_id uuid) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    select json_build_object('count', coalesce(max(f.total), 0), 'contacts', coalesce(json_agg(json_build_object(
        'id', f.id, 'email', f.email,
        'before', private.import_values_read(p_brand_id, f.previous), 'after', private.import_values_read(p_brand_id, f.present),
        'changed_since', f.changed_since
      ) order by f.place), '[]'))
    from (
      select c.id, c.email, k.previous, private.import_values(c) as present, private.import_rev(c) <> k.rev as changed_since,
        count(*) over () as total, row_number() over (order by c.first_name, c.last_name, c.email, c.id) as place
      from private.import_changes k join public.contacts c on c.brand_id = p_brand_id and c.id = k.contact_id
      where k.brand_id = p_brand_id and k.import_id = p_import_id
      order by place limit 200
    ) f
  );
end
$$;

-- What import_contacts would change with these rows (as it takes them, at most 5,000) in contacts that are known, in the order of the
-- rows: [{ id, email, before, after }]. Of rows with one address the later values count. Writes nothing.
create function public.preview_import(p_brand_id uuid, p_rows jsonb) returns json
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
        )) as given
      from private.parse_import(p_brand_id, p_rows) r
      where r.problem is null and r.email_norm is not null
      group by r.email_norm
    ),
    known as (
      select w.place, c.id, c.email, private.import_values_read(p_brand_id, private.import_values(c)) as before,
        -- A company that is there already, in its spelling, whatever the case is in the file.
        w.given || jsonb_strip_nulls(jsonb_build_object('company', (
          select o.name from public.companies o
          where o.brand_id = p_brand_id and lower(o.name) = lower((w.given ->> 'company') collate "und-x-icu") order by o.created_at, o.id limit 1
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

revoke execute on function private.import_values_read(uuid, jsonb) from public;
revoke execute on function public.import_changes(uuid, uuid), public.preview_import(uuid, jsonb) from public, anon, authenticated;
grant execute on function public.import_changes(uuid, uuid), public.preview_import(uuid, jsonb) to authenticated, service_role;
