-- Lists are ordered by a custom field: `order` of a query is custom.<id>, or custom.<id>.desc for the opposite direction (decision 062). No field
-- has an index: the values of all records that a list finds are read, and the first ones kept.

-- The keys of an order, first to last; none where the table has no such order. Of a field the value is the key: numbers by value, texts as
-- names, days by date, no before yes, one of a list in the order of the options. A value of another kind, or of none of the options, counts as
-- empty. A field that was retired is passed over: an address that was kept shows the list in its own order.
create function private.order_keys(p_table text, p_order text, p_brand_id uuid) returns private.list_orders[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_parts constant text[] := regexp_match(p_order, '^custom\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(\.desc)?$');
  v_field public.custom_fields;
  v_expression text;
  v_type text;
begin
  select * into v_field from public.custom_fields f
  where f.brand_id = p_brand_id and f."table" = p_table and f.id = v_parts[1]::uuid;
  if v_field.id is null or v_field.retired_at is not null then
    return array(
      select l from private.list_orders l
      where l.table_name = p_table and l.order_name = case when v_field.id is null then p_order else 'newest' end order by l.place
    );
  end if;
  case
    when v_field.type in ('number', 'money') then
      -- As devices have them: a number of JavaScript.
      v_type := 'double precision';
      v_expression := 'case jsonb_typeof(r.custom -> %1$L) when ''number'' then (r.custom -> %1$L)::double precision end';
    when v_field.type in ('text', 'link') then
      v_type := 'text';
      v_expression := '(case jsonb_typeof(r.custom -> %1$L) when ''string'' then r.custom ->> %1$L end) collate private.by_name';
    when v_field.type = 'date' then
      v_type := 'text';
      v_expression := '(case jsonb_typeof(r.custom -> %1$L) when ''string'' then r.custom ->> %1$L end) collate "C"';
    when v_field.type = 'yes_no' then
      v_type := 'boolean';
      v_expression := 'case jsonb_typeof(r.custom -> %1$L) when ''boolean'' then (r.custom -> %1$L)::boolean end';
    when v_field.type = 'choice' then
      v_type := 'integer';
      v_expression := 'array_position(%2$L::text[], r.custom ->> %1$L)';
    else
      return '{}';
  end case;
  return array[row(
    p_table, p_order, 1, format(v_expression, v_field.id, array(select o ->> 'id' from jsonb_array_elements(v_field.options) o)), v_type,
    v_parts[2] is not null, false, null, null
  )::private.list_orders];
end
$$;

-- One page of a query: its rows as far as an answer holds them, the key values of the last one in `end`, and the bytes of all.
create or replace function private.query_page(
  p_table text, p_query jsonb, p_filter text, p_brand_id uuid,
  out rows jsonb, out "end" jsonb, out bytes bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_order text := coalesce(p_query ->> 'order', 'newest');
  v_keys private.list_orders[] := private.order_keys(p_table, v_order, p_brand_id);
  v_iscustom boolean := v_keys[1].order_name like 'custom.%';
  v_kept_back text[] := (select s.kept_back from private.synced_tables s where s.name = p_table);
  v_limit integer := private.page_size((p_query ->> 'limit')::integer);
  v_skip integer := greatest(coalesce((p_query ->> 'skip')::integer, 0), 0);
  v_key_list text;
  v_order_list text;
  v_source text := format('public.%I r %s where %s', p_table, v_keys[1].joined, p_filter);
  v_at text := 'r.ctid';
  v_conditions text[];
  v_stretches text;
  v_found jsonb;
begin
  if cardinality(v_keys) = 0 then
    raise exception 'The table % has no order %.', p_table, v_order using errcode = '22023';
  end if;
  if v_iscustom then
    -- Without an index: all records are read once, and each value once.
    v_source := format('(select r.id, r.ctid as at, %s as value from %s offset 0) r where true', v_keys[1].expression, v_source);
    v_at := 'r.at';
    v_keys[1].expression := 'r.value';
  end if;
  select string_agg(k.expression || ' as k' || k.place, ', ' order by k.place),
    string_agg('k' || k.place || case when k.descending then ' desc' else '' end || case when k.descending and not k.is_required then ' nulls last' else '' end, ', ' order by k.place)
  into v_key_list, v_order_list from unnest(v_keys) k;
  v_conditions := private.query_stretches(v_keys, p_query -> 'after');
  if v_iscustom then
    v_conditions := array[array_to_string(v_conditions, ' or ')];
  end if;
  select string_agg(
    format('(select r.id, %s as at, %s, %s as stretch from %s and (%s) order by %s, id limit %s)',
      v_at, v_key_list, s.place, v_source, s.condition, v_order_list, v_limit::bigint + v_skip),
    ' union all ' order by s.place)
  into v_stretches from unnest(v_conditions) with ordinality s (condition, place);
  -- The page is cut first, then its rows become JSON. Each is fetched from where it was read: it has not moved, as all of this sees one
  -- snapshot.
  execute format(
    'with page as materialized (
       select p.*, row_number() over (order by p.stretch, %1$s, p.id) as place
       from (select * from (%2$s) p order by p.stretch, %1$s, p.id limit %3$s offset %4$s) p
     )
     select (
         select jsonb_build_array(coalesce(jsonb_agg(s.data order by s.place) filter (where s.bytes <= $3), ''[]''), max(s.bytes))
         from (
           select d.place, d.data, sum(octet_length(d.data::text)) over (order by d.place rows unbounded preceding) as bytes
           from (
             select p.place, r.data
             from page p cross join lateral (select to_jsonb(r) - $2 as data from public.%5$I r where r.ctid = p.at offset 0) r
             offset 0
           ) d
         ) s
       ),
       (select jsonb_build_array(%6$s, p.id) from page p order by p.place desc limit 1)',
    v_order_list, v_stretches, v_limit, v_skip, p_table,
    (select string_agg('p.k' || k.place, ', ' order by k.place) from unnest(v_keys) k))
  into v_found, "end" using p_brand_id, v_kept_back, private.answer_bytes();
  rows := v_found -> 0;
  bytes := coalesce((v_found ->> 1)::bigint, 0);
end
$$;

revoke execute on all functions in schema private from public;
