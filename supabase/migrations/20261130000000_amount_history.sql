-- The history of a deal tells changes of its amount and currency, as it tells its stages: written by trigger, never changed, without
-- foreign keys to deals, so that it outlives them. A device asks for it when a deal is opened; no pull carries it.

create table public.amount_changes (
  brand_id uuid not null references public.brands on delete cascade,
  id bigint generated always as identity,
  deal_id uuid not null,
  from_amount numeric not null,
  from_currency text not null,
  to_amount numeric not null,
  to_currency text not null,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  primary key (brand_id, id)
);
create index amount_changes_of_deal_idx on public.amount_changes (brand_id, deal_id, changed_at);

create function private.note_amount_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.amount_changes (brand_id, deal_id, from_amount, from_currency, to_amount, to_currency, changed_by)
  values (new.brand_id, new.id, old.amount, old.amount_currency, new.amount, new.amount_currency, auth.uid());
  return null;
end
$$;
create trigger note_amount_change after update of amount, amount_currency on public.deals
  for each row when (old.amount is distinct from new.amount or old.amount_currency is distinct from new.amount_currency)
  execute function private.note_amount_change();

revoke all on public.amount_changes from public, anon, authenticated;
grant select on public.amount_changes to authenticated;
grant select, insert, update, delete on public.amount_changes to service_role;

alter table public.amount_changes enable row level security;
create policy "members see the amounts that their brands' deals had" on public.amount_changes for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every change of an amount" on public.amount_changes to service_role using (true);

revoke execute on all functions in schema private from public;
