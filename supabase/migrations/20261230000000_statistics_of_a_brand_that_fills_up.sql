-- Statistics follow a brand that fills up: by default PostgreSQL looks at a table of a million rows again after 100,000 changes.
do $$
declare
  v_table regclass;
begin
  foreach v_table in array array[
    'public.contacts', 'public.companies', 'public.deals', 'public.tasks', 'public.notes', 'public.field_changes',
    'private.contacts_words', 'private.companies_words', 'private.deals_words', 'private.tasks_words', 'private.notes_words',
    'private.import_changes'
  ]::regclass[] loop
    execute format('alter table %s set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000)', v_table);
  end loop;
end $$;

-- Until then PostgreSQL expects one row of a brand that it does not know, and may read all of the brand for each row of a join. A brand that it
-- does not see as a constant has, for it, as many rows as brands have on average: `(select $1)` (decision 074).
update private.list_orders set joined = 'left join public.companies o on o.brand_id = (select $1) and o.id = r.company_id'
where joined = 'left join public.companies o on o.brand_id = $1 and o.id = r.company_id';
