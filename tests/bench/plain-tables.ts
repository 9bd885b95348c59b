import type pg from 'pg'

/**
 * Copies memberships, stages, companies, contacts and deals to tables as in a hand-written application, and adds an empty table of tasks. They have
 * the same columns, primary keys, the main foreign keys and row-level security, but no triggers, history, live events or sessions that can end.
 */
const plainSql = `
  drop schema if exists plain cascade;
  create schema plain;
  grant usage on schema plain to authenticated;
  create table plain.memberships (user_id uuid not null, brand_id uuid not null, role text not null, primary key (user_id, brand_id));
  grant select on plain.memberships to authenticated;
  insert into plain.memberships select user_id, brand_id, role from public.memberships;
  create table plain.deal_stages (like public.deal_stages including defaults including constraints including indexes);
  create table plain.companies (like public.companies including defaults including constraints);
  create table plain.contacts (like public.contacts including defaults including constraints);
  create table plain.deals (like public.deals including defaults including constraints);
  create table plain.tasks (like public.tasks including defaults including constraints);
  insert into plain.deal_stages select * from public.deal_stages;
  insert into plain.companies select * from public.companies;
  insert into plain.contacts select * from public.contacts;
  insert into plain.deals select * from public.deals;
  alter table plain.companies add primary key (brand_id, id);
  alter table plain.contacts add primary key (brand_id, id), add foreign key (brand_id, company_id) references plain.companies;
  alter table plain.deals add primary key (brand_id, id), add foreign key (brand_id, stage_id) references plain.deal_stages,
    add foreign key (brand_id, contact_id) references plain.contacts, add foreign key (brand_id, company_id) references plain.companies;
  alter table plain.tasks add primary key (brand_id, id), add foreign key (brand_id, contact_id) references plain.contacts,
    add foreign key (brand_id, deal_id) references plain.deals;
  create index on plain.contacts (brand_id, created_at desc, id);
  create index on plain.contacts (brand_id, company_id);
  create unique index on plain.contacts (brand_id, email_norm);
  create index on plain.deals (brand_id, stage_id);
  create index on plain.deals (brand_id, contact_id);
  create index on plain.deals (brand_id, company_id);
  create index on plain.tasks (brand_id, due_at);
  create index on plain.tasks (brand_id, contact_id);
  create index on plain.tasks (brand_id, deal_id);
  do $$
  declare v_table text;
  begin
    foreach v_table in array array['deal_stages', 'companies', 'contacts', 'deals', 'tasks'] loop
      execute format('alter table plain.%I enable row level security', v_table);
      execute format('create policy members on plain.%I to authenticated using (brand_id in (select m.brand_id from plain.memberships m where m.user_id = (select auth.uid())))', v_table);
      execute format('grant select, insert, update, delete on plain.%I to authenticated', v_table);
    end loop;
  end
  $$`

/** Creates the plain tables again, with the rows of the product's tables. The table of tasks is empty. */
export async function createPlainTables(owner: pg.Pool): Promise<void> {
  await owner.query(plainSql)
}
