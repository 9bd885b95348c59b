-- Notes are answered by read_queries like other rows, for clients that list them by the API.

insert into private.list_orders (table_name, order_name, place, expression, type, descending, is_required) values
  ('notes', 'newest', 1, 'r.occurred_at', 'timestamptz', true, true);
create index notes_newest_idx on public.notes (brand_id, occurred_at desc, id);
