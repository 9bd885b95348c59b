-- Tasks, alone or about a contact or a deal.

create table public.tasks (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  title text collate "und-x-icu" not null check (title <> '' and length(title) <= 200),
  due_at timestamptz check (due_at >= '0001-01-02 00:00+00' and due_at < '9999-12-31 00:00+00'),
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  status text not null default 'open' check (status in ('open', 'done')),
  contact_id uuid,
  deal_id uuid,
  assignee_id uuid,
  completed_at timestamptz,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id),
  foreign key (brand_id, contact_id) references public.contacts on delete set null (contact_id),
  foreign key (brand_id, deal_id) references public.deals on delete set null (deal_id),
  foreign key (brand_id, assignee_id) references public.memberships on delete set null (assignee_id)
);
create index tasks_by_due_idx on public.tasks (brand_id, due_at, id);
create index tasks_open_idx on public.tasks (brand_id, due_at) where status = 'open';
create index tasks_completed_idx on public.tasks (brand_id, completed_at desc, id) where status = 'done';
create index tasks_by_contact_idx on public.tasks (brand_id, contact_id) where contact_id is not null;
create index tasks_by_deal_idx on public.tasks (brand_id, deal_id) where deal_id is not null;
create index tasks_by_assignee_idx on public.tasks (brand_id, assignee_id) where assignee_id is not null;

create function private.tidy_task() returns trigger
language plpgsql
as $$
begin
  new.title := private.required_name(new.title);
  if new.status = 'open' then
    new.completed_at := null;
  elsif tg_op = 'INSERT' or old.status = 'open' then
    new.completed_at := coalesce(new.completed_at, now());
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.tasks for each row execute function private.tidy_task();

call private.keep_in_sync('public.tasks');

revoke all on public.tasks from public, anon, authenticated;
grant select on public.tasks to authenticated;
grant insert (id, brand_id, title, due_at, priority, status, contact_id, deal_id, assignee_id),
  update (title, due_at, priority, status, contact_id, deal_id, assignee_id), delete on public.tasks to authenticated;
grant select, insert, update, delete on public.tasks to service_role;
revoke execute on all functions in schema private from public;

alter table public.tasks enable row level security;
create policy "members see the tasks of their brands" on public.tasks for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add tasks to their brands" on public.tasks for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the tasks of their brands" on public.tasks for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete tasks of their brands" on public.tasks for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every task" on public.tasks to service_role using (true);
