-- One timeline of a contact, a company or a deal: notes, moves between stages, changes of fields, tasks that were done, newest first.

-- What a timeline is about: the record; of a company also its contacts and deals, the 1,000 of each that were written last.
create function private.timeline_subjects(p_brand_id uuid, p_table text, p_id uuid, out contacts uuid[], out companies uuid[], out deals uuid[])
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most constant integer := 1000;
begin
  contacts := case when p_table = 'contacts' then array[p_id] else '{}' end;
  companies := case when p_table = 'companies' then array[p_id] else '{}' end;
  deals := case when p_table = 'deals' then array[p_id] else '{}' end;
  if p_table = 'companies' then
    contacts := array(
      select c.id from public.contacts c where c.brand_id = p_brand_id and c.company_id = p_id order by c.rev desc, c.id limit v_most
    );
    deals := array(
      select d.id from public.deals d where d.brand_id = p_brand_id and d.company_id = p_id order by d.rev desc, d.id limit v_most
    );
  end if;
end
$$;

-- The first p_limit entries after (p_at, p_key), by time and key, latest first. Each kind reads one range of an index for each record.
create function private.timeline_keys(
  p_brand_id uuid, p_contacts uuid[], p_companies uuid[], p_deals uuid[], p_at timestamptz, p_key text, p_limit integer
) returns table (at timestamptz, key text)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off
as $$
begin
  return query
    select distinct e.at, e.key from (
      select n.at, n.key from unnest(p_contacts) s (id) cross join lateral (
        select n.occurred_at as at, ('note ' || n.id) collate "C" as key from public.notes n
        where n.brand_id = p_brand_id and n.contact_id = s.id and n.occurred_at <= p_at
          and (n.occurred_at < p_at or ('note ' || n.id) collate "C" < p_key)
        order by n.occurred_at desc, n.id desc limit p_limit
      ) n
      union all
      select n.at, n.key from unnest(p_companies) s (id) cross join lateral (
        select n.occurred_at as at, ('note ' || n.id) collate "C" as key from public.notes n
        where n.brand_id = p_brand_id and n.company_id = s.id and n.occurred_at <= p_at
          and (n.occurred_at < p_at or ('note ' || n.id) collate "C" < p_key)
        order by n.occurred_at desc, n.id desc limit p_limit
      ) n
      union all
      select n.at, n.key from unnest(p_deals) s (id) cross join lateral (
        select n.occurred_at as at, ('note ' || n.id) collate "C" as key from public.notes n
        where n.brand_id = p_brand_id and n.deal_id = s.id and n.occurred_at <= p_at
          and (n.occurred_at < p_at or ('note ' || n.id) collate "C" < p_key)
        order by n.occurred_at desc, n.id desc limit p_limit
      ) n
      union all
      select t.at, t.key from unnest(p_contacts) s (id) cross join lateral (
        select t.completed_at as at, ('task ' || t.id) collate "C" as key from public.tasks t
        where t.brand_id = p_brand_id and t.contact_id = s.id and t.status = 'done' and t.completed_at <= p_at
          and (t.completed_at < p_at or ('task ' || t.id) collate "C" < p_key)
        order by t.completed_at desc, t.id desc limit p_limit
      ) t
      union all
      select t.at, t.key from unnest(p_deals) s (id) cross join lateral (
        select t.completed_at as at, ('task ' || t.id) collate "C" as key from public.tasks t
        where t.brand_id = p_brand_id and t.deal_id = s.id and t.status = 'done' and t.completed_at <= p_at
          and (t.completed_at < p_at or ('task ' || t.id) collate "C" < p_key)
        order by t.completed_at desc, t.id desc limit p_limit
      ) t
      union all
      select c.at, c.key from unnest(p_deals) s (id) cross join lateral (
        -- Its first stage is no move.
        select c.changed_at as at, ('stage ' || c.id) collate "C" as key from public.deal_stage_changes c
        where c.brand_id = p_brand_id and c.deal_id = s.id and c.from_stage_id is not null and c.changed_at <= p_at
          and (c.changed_at < p_at or ('stage ' || c.id) collate "C" < p_key)
        order by c.changed_at desc, ('stage ' || c.id) collate "C" desc limit p_limit
      ) c
      union all
      select c.at, c.key from unnest(p_deals) s (id) cross join lateral (
        select c.changed_at as at, ('amount ' || c.id) collate "C" as key from public.amount_changes c
        where c.brand_id = p_brand_id and c.deal_id = s.id and c.changed_at <= p_at
          and (c.changed_at < p_at or ('amount ' || c.id) collate "C" < p_key)
        order by c.changed_at desc, ('amount ' || c.id) collate "C" desc limit p_limit
      ) c
      union all
      select c.at, c.key from unnest(p_contacts || p_companies || p_deals) s (id) cross join lateral (
        select c.changed_at as at, ('field ' || c.id) collate "C" as key from public.field_changes c
        where c.brand_id = p_brand_id and c.record_id = s.id and c.changed_at <= p_at
          and (c.changed_at < p_at or ('field ' || c.id) collate "C" < p_key)
        order by c.changed_at desc, ('field ' || c.id) collate "C" desc limit p_limit
      ) c
    ) e
    order by 1 desc, 2 desc limit p_limit;
end
$$;

-- An entry of a timeline by its key, and under `ids` the records that it names.
create function private.timeline_entry(p_brand_id uuid, p_key text, p_at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_kind constant text := split_part(p_key, ' ', 1);
  v_id constant text := split_part(p_key, ' ', 2);
  v_entry jsonb;
begin
  case v_kind
    when 'note' then
      select jsonb_build_object('by', n.author_id, 'note', to_jsonb(n), 'ids', jsonb_build_array(n.contact_id, n.company_id, n.deal_id))
      into v_entry from public.notes n where n.brand_id = p_brand_id and n.id = v_id::uuid;
    when 'task' then
      select jsonb_build_object('by', coalesce((
          select c.changed_by from public.field_changes c
          where c.brand_id = t.brand_id and c.record_id = t.id and c.column_name = 'status' and c.to_value = 'done'
          order by c.changed_at desc, c.id desc limit 1
        ), t.updated_by), 'task_id', t.id, 'title', t.title, 'contact_id', t.contact_id, 'deal_id', t.deal_id,
        'ids', jsonb_build_array(t.contact_id, t.deal_id))
      into v_entry from public.tasks t where t.brand_id = p_brand_id and t.id = v_id::uuid;
    when 'stage' then
      select jsonb_build_object('by', c.changed_by, 'deal_id', c.deal_id, 'from', c.from_stage_id, 'to', c.to_stage_id, 'ids', jsonb_build_array(c.deal_id))
      into v_entry from public.deal_stage_changes c where c.brand_id = p_brand_id and c.id = v_id::bigint;
    when 'amount' then
      select jsonb_build_object('by', c.changed_by, 'deal_id', c.deal_id, 'from', c.from_amount, 'from_currency', c.from_currency,
        'to', c.to_amount, 'to_currency', c.to_currency, 'ids', jsonb_build_array(c.deal_id))
      into v_entry from public.amount_changes c where c.brand_id = p_brand_id and c.id = v_id::bigint;
    else
      select jsonb_build_object('by', c.changed_by, 'table', c.table_name, 'record_id', c.record_id, 'column', c.column_name,
        'from', c.from_value, 'to', c.to_value,
        'ids', jsonb_build_array(c.record_id) || case when c.column_name in ('contact_id', 'company_id') then jsonb_build_array(c.from_value, c.to_value) else '[]' end)
      into v_entry from public.field_changes c where c.brand_id = p_brand_id and c.id = v_id::bigint;
  end case;
  return v_entry || jsonb_build_object('kind', v_kind, 'key', p_key, 'at', p_at);
end
$$;

-- What these contacts, companies and deals are called: { id: name }.
create function private.record_names(p_brand_id uuid, p_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(r.id, r.name), '{}') from (
      select c.id, coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone, '?') as name
      from public.contacts c where c.brand_id = p_brand_id and c.id = any (p_ids)
      union all select o.id, o.name from public.companies o where o.brand_id = p_brand_id and o.id = any (p_ids)
      union all select d.id, d.name from public.deals d where d.brand_id = p_brand_id and d.id = any (p_ids)
    ) r
  );
end
$$;

-- A page of the timeline of a contact, a company (with its contacts and deals) or a deal, newest first:
--   { entries: [{ kind, key, at, by, … }], pinned: [notes], names: { id: name }, next }
-- kind: note { note }, stage { deal_id, from, to }, amount { deal_id, from, from_currency, to, to_currency },
-- task { task_id, title, contact_id, deal_id }, field { table, record_id, column, from, to }.
-- p_before: the `next` of the page before, or a time; `next` is null where nothing follows. p_limit: up to 100. `pinned` comes with the first page.
-- A record that is not there has an empty timeline. Raises NOT_AUTHORIZED.
create function public.timeline(p_brand_id uuid, p_table text, p_id uuid, p_before text default null, p_limit integer default 30) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit constant integer := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_about record;
  v_at timestamptz := 'infinity';
  v_key text := '';
  v_entries jsonb;
  v_pinned jsonb := '[]';
  v_next text;
begin
  perform private.assert_member(p_brand_id);
  if coalesce(p_table, '') not in ('contacts', 'companies', 'deals') then
    raise exception 'Contacts, companies and deals have a timeline.' using errcode = '22023';
  end if;
  if p_before is not null then
    begin
      v_at := split_part(p_before, '~', 1)::timestamptz;
      v_key := split_part(p_before, '~', 2);
    exception when data_exception then
      raise exception 'p_before is the "next" of the page before.' using errcode = '22023';
    end;
  end if;
  select * into v_about from private.timeline_subjects(p_brand_id, p_table, p_id);
  with page as materialized (
    select k.at, k.key, row_number() over (order by k.at desc, k.key collate "C" desc) as place
    from private.timeline_keys(p_brand_id, v_about.contacts, v_about.companies, v_about.deals, v_at, v_key, v_limit + 1) k
  )
  select coalesce(jsonb_agg(private.timeline_entry(p_brand_id, p.key, p.at) order by p.place) filter (where p.place <= v_limit), '[]'),
    case when count(*) > v_limit then max(p.at || '~' || p.key) filter (where p.place = v_limit) end
  into v_entries, v_next from page p;
  if p_before is null then
    select coalesce(jsonb_agg(to_jsonb(n) order by n.occurred_at desc, n.id desc), '[]') into v_pinned
    from (
      select n.* from public.notes n
      where n.brand_id = p_brand_id and n.pinned
        and (n.contact_id = any (v_about.contacts) or n.company_id = any (v_about.companies) or n.deal_id = any (v_about.deals))
      order by n.occurred_at desc, n.id desc limit 20
    ) n;
  end if;
  return json_build_object(
    'entries', (select coalesce(jsonb_agg(e - 'ids' order by place), '[]') from jsonb_array_elements(v_entries) with ordinality a (e, place)),
    'pinned', v_pinned,
    'names', private.record_names(p_brand_id, array(
      select distinct i.id::uuid from (
        select jsonb_array_elements_text(e -> 'ids') as id from jsonb_array_elements(v_entries) e
        union all
        select unnest(array[n ->> 'contact_id', n ->> 'company_id', n ->> 'deal_id']) from jsonb_array_elements(v_pinned) n
      ) i where i.id is not null
    )),
    'next', v_next
  );
end
$$;
create index notes_pinned_idx on public.notes (brand_id, occurred_at desc) where pinned;

revoke execute on all routines in schema private from public;
revoke execute on function public.timeline(uuid, text, uuid, text, integer) from public, anon, authenticated;
grant execute on function public.timeline(uuid, text, uuid, text, integer) to authenticated, service_role;
