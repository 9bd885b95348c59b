-- The stages of a brand's pipeline, in order. The kind of its stage says whether a deal is active.

create table public.deal_stages (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 200),
  position integer not null check (position > 0),
  kind text not null check (kind in ('open', 'won', 'lost')),
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id)
);
create index deal_stages_in_order_idx on public.deal_stages (brand_id, position);

-- A stage without a position goes last; a stage without a kind gets it from its name.
create function private.tidy_deal_stage() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required_name(new.name);
  if new.position is null then
    new.position := 1 + coalesce((select max(s.position) from public.deal_stages s where s.brand_id = new.brand_id), 0);
  end if;
  if new.kind is null then
    new.kind := case when lower(new.name) ~ '\mwon\M' then 'won' when lower(new.name) ~ '\mlost\M' then 'lost' else 'open' end;
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.deal_stages for each row execute function private.tidy_deal_stage();

-- A new brand starts with six stages.
create function private.give_default_stages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.deal_stages (brand_id, name, position, kind) values
    (new.id, 'Incoming', 1, 'open'),
    (new.id, 'Qualified', 2, 'open'),
    (new.id, 'Proposal', 3, 'open'),
    (new.id, 'Verbal Yes', 4, 'open'),
    (new.id, 'Won', 5, 'won'),
    (new.id, 'Lost', 6, 'lost');
  return null;
end
$$;
create trigger give_default_stages after insert on public.brands for each row execute function private.give_default_stages();

call private.keep_in_sync('public.deal_stages');

revoke all on public.deal_stages from public, anon, authenticated;
grant select on public.deal_stages to authenticated;
grant insert (id, brand_id, name, position, kind), update (name, position, kind), delete on public.deal_stages to authenticated;
grant select, insert, update, delete on public.deal_stages to service_role;
revoke execute on all functions in schema private from public;

alter table public.deal_stages enable row level security;
create policy "members see the stages of their brands" on public.deal_stages for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "admins and owners add stages" on public.deal_stages for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners change stages" on public.deal_stages for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners delete stages" on public.deal_stages for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "the secret key sees every stage" on public.deal_stages to service_role using (true);
