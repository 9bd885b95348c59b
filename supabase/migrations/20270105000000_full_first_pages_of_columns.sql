-- The first page of a board's column is full if there are enough deals. On a board of one owner it lacked deals if the stage had more than
-- 3,000 deals and the newest 3,000 of them had too few of this owner: the number of the owner's deals was taken for the number of all.

-- Reads the first pages of the columns of a board: of the stages p_stages in the brand p_brand_id. p_query: the query of any of these
-- columns. p_filter: the condition of that query without its stage and its search. `columns` has the pages. Returns p_search, the search of
-- the board, with the results that are known now.
create or replace function private.found_columns(
  inout p_search private.search, p_stages uuid[], p_query jsonb, p_filter text, p_brand_id uuid, out columns private.column_page[]
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit constant integer := private.page_size((p_query ->> 'limit')::integer);
  v_budget constant integer := 3 * private.first_look() / 2;
  v_kept constant text := private.kept_source('deals', p_query);
  -- The number of deals by stage: of those that meet the filter if the kept figures have that number, else of all deals.
  v_counts jsonb := '{}';
  v_expected bigint;
  v_sample record;
  v_search text := '';
begin
  execute format(
    'select coalesce(jsonb_object_agg(s.stage_id, s.count), ''{}'') from (
       select r.stage_id, sum(r.count) as count from %s r where %s and r.stage_id = any ($2) group by r.stage_id having sum(r.count) > 0
     ) s', private.kept_rows(coalesce(v_kept, 'deals')), case when v_kept is not null then p_filter else 'true' end)
  into v_counts using p_brand_id, p_stages;
  v_expected := (select coalesce(sum(c.value::bigint), 0) from jsonb_each_text(v_counts) c);
  if (p_search).source is not null then
    v_expected := private.expected_hits(p_search);
    if v_expected <= private.few_hits() then
      p_search := private.with_hits(p_search, p_brand_id, private.few_hits());
    end if;
    v_search := case when (p_search).ids is not null then ' and r.id = any ($4)'
      else format(' and (select %s from (%s) w where w.id = r.id)', (p_search).conditions, (p_search).source) end;
  elsif v_kept is null then
    v_sample := private.sample('deals', p_filter, p_brand_id, private.first_look() / 4);
    v_expected := v_sample.matched * private.kept_total('deals', p_brand_id) / greatest(v_sample.looked, 1);
  end if;
  -- If many deals meet the filter, the newest deals of each stage are probably enough to fill its page.
  if (p_search).ids is null and v_expected > private.few_hits() then
    columns := array(select c from private.column_pages(p_stages, v_limit, p_filter || v_search, p_brand_id, null, v_budget) c);
    -- A page that is not full is right if the kept figures know of no further deals, or if all deals of the stage were examined.
    if not exists (
      select from jsonb_each_text(v_counts) c
      left join unnest(columns) p on p.stage_id = c.key::uuid
      where case when v_kept is not null then coalesce(p.count, 0) < least(c.value::bigint, v_limit)
        else coalesce(p.count, 0) < v_limit and c.value::bigint > v_budget end
    ) then
      return;
    end if;
    if (p_search).source is not null then
      p_search := private.with_hits(p_search, p_brand_id);
      v_search := ' and r.id = any ($4)';
    end if;
  end if;
  columns := array(select c from private.column_pages(p_stages, v_limit, p_filter || v_search, p_brand_id, (p_search).ids) c);
end
$$;
