-- Deals, and the history of their stages.

create table public.deals (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 200),
  amount numeric not null default 0,
  amount_currency text not null default 'GBP' check (amount_currency ~ '^[A-Z]{3}$'),
  stage_id uuid not null,
  -- Browsers cannot read dates before year 1, nor 'infinity'.
  expected_close_date date check (expected_close_date between '0001-01-01' and '9999-12-31'),
  contact_id uuid,
  company_id uuid,
  owner_id uuid,
  closed_at timestamptz,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id),
  foreign key (brand_id, stage_id) references public.deal_stages,
  foreign key (brand_id, contact_id) references public.contacts on delete set null (contact_id),
  foreign key (brand_id, company_id) references public.companies on delete set null (company_id),
  foreign key (brand_id, owner_id) references public.memberships on delete set null (owner_id),
  -- NaN and infinity are greater than every number.
  constraint deals_amount_check check (amount >= 0 and amount < 1e13),
  -- ISO 4217: currencies without a minor unit have no decimals, the others two here.
  constraint deals_amount_scale_check check (min_scale(amount) <= case
    when amount_currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF')
    then 0 else 2 end)
);
create index deals_newest_idx on public.deals (brand_id, created_at desc, id);
create index deals_by_stage_idx on public.deals (brand_id, stage_id, created_at desc, id) include (amount_currency, amount);
create index deals_by_name_idx on public.deals (brand_id, name);
create index deals_by_contact_idx on public.deals (brand_id, contact_id) where contact_id is not null;
create index deals_by_company_idx on public.deals (brand_id, company_id) where company_id is not null;
create index deals_by_owner_idx on public.deals (brand_id, owner_id) where owner_id is not null;
create index deals_by_words_idx on public.deals using gin (brand_id, lower(name) extensions.gin_trgm_ops);

-- The history of a deal: written by trigger, never changed. No foreign keys to deals and stages, so that it outlives both:
-- a restored deal has its history again.
create table public.deal_stage_changes (
  brand_id uuid not null references public.brands on delete cascade,
  id bigint generated always as identity,
  deal_id uuid not null,
  from_stage_id uuid,
  to_stage_id uuid not null,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  primary key (brand_id, id)
);
create index deal_stage_changes_of_deal_idx on public.deal_stage_changes (brand_id, deal_id, changed_at);

-- A deal is closed from the moment it enters a stage that is won or lost.
create function private.tidy_deal() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required_name(new.name);
  if tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id then
    if (select s.kind from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.stage_id) in ('won', 'lost') then
      new.closed_at := coalesce(new.closed_at, now());
    else
      new.closed_at := null;
    end if;
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.deals for each row execute function private.tidy_deal();

create function private.note_stage_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A restored deal continues its history.
  if tg_op = 'INSERT' and new.stage_id = (
    select c.to_stage_id from public.deal_stage_changes c
    where c.brand_id = new.brand_id and c.deal_id = new.id order by c.changed_at desc, c.id desc limit 1
  ) then
    return null;
  end if;
  insert into public.deal_stage_changes (brand_id, deal_id, from_stage_id, to_stage_id, changed_by)
  values (new.brand_id, new.id, case when tg_op = 'UPDATE' then old.stage_id end, new.stage_id, auth.uid());
  return null;
end
$$;
create trigger note_first_stage after insert on public.deals for each row execute function private.note_stage_change();
create trigger note_stage_change after update of stage_id on public.deals
  for each row when (old.stage_id is distinct from new.stage_id) execute function private.note_stage_change();

-- A stage that becomes won or lost closes its deals; one that becomes open opens them again.
create function private.close_deals_of_stage() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.deals d set closed_at = case when new.kind <> 'open' then coalesce(d.closed_at, now()) end
  where d.brand_id = new.brand_id and d.stage_id = new.id and (d.closed_at is null) = (new.kind <> 'open');
  return null;
end
$$;
create trigger close_deals_of_stage after update of kind on public.deal_stages
  for each row when (old.kind <> new.kind) execute function private.close_deals_of_stage();

call private.keep_in_sync('public.deals');

revoke all on public.deals, public.deal_stage_changes from public, anon, authenticated;
grant select on public.deals, public.deal_stage_changes to authenticated;
grant insert (id, brand_id, name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id, owner_id),
  update (name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id, owner_id),
  delete on public.deals to authenticated;
grant select, insert, update, delete on public.deals, public.deal_stage_changes to service_role;

alter table public.deals enable row level security;
create policy "members see the deals of their brands" on public.deals for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add deals to their brands" on public.deals for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the deals of their brands" on public.deals for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete deals of their brands" on public.deals for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every deal" on public.deals to service_role using (true);

alter table public.deal_stage_changes enable row level security;
create policy "members see the history of their brands' deals" on public.deal_stage_changes for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every stage change" on public.deal_stage_changes to service_role using (true);

-- A deal with a name and a stage (default: the first one), the rest by default. It belongs to the caller. Returns its id.
create function public.quick_create_deal(p_brand_id uuid, p_name text, p_stage_id uuid, p_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.assert_member(p_brand_id);
  if private.name_or_null(p_name) is null then
    raise exception 'Deal name is required' using errcode = '22023';
  end if;
  insert into public.deals as d (brand_id, id, name, owner_id, stage_id)
  values (
    p_brand_id,
    coalesce(p_id, gen_random_uuid()),
    p_name,
    case when p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end,
    coalesce(p_stage_id, (
      select s.id from public.deal_stages s where s.brand_id = p_brand_id order by s.position, s.id limit 1
    ))
  )
  returning d.id into v_id;
  return v_id;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.quick_create_deal(uuid, text, uuid, uuid) from public, anon, authenticated;
grant execute on function public.quick_create_deal(uuid, text, uuid, uuid) to authenticated, service_role;
