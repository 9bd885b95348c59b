-- Written by `npm run generate` from a database that supabase/migrations has made: the current schema in one file, for reading only.
-- Tables and functions are in the order of the chapters, each under the chapter that created it. Functions have no bodies here: the body is
-- in that chapter, or in the later file that the function's line names. Triggers and policies follow their table. Do not edit.

-- ==== 20261122000001_foundation.sql ====

-- Whether the caller uses the secret key: an operator's own script, which may do everything.
create function private.is_service() returns boolean; -- plpgsql stable for authenticated, service_role

-- How well the caller's session is proved.
-- 2: two factors. Both the token and the row of the session say so: the row loses the level when the factor is removed.
-- 1: a password, and the user has no verified factor.
-- 0: a password, and the user has a factor that is still to be proved.
-- Null: the session has ended. A token lives up to an hour longer than its session, so a sign-out counts at once.
create function private.session_level() returns integer; -- plpgsql stable security definer for authenticated, service_role

-- The user of the token, or null where the session has ended. It does not ask how well the session is proved.
create function private.caller_id() returns uuid; -- plpgsql stable security definer for authenticated, service_role

-- Raises SESSION_ENDED where the token is valid but its session has ended. Row security alone would let a write of such a
-- caller affect no row, which looks like success. The device has to keep the write until the next sign-in instead.
create function private.assert_session() returns void; -- plpgsql stable security definer

-- The caller, for functions about their own account. Raises NOT_AUTHORIZED, and SECOND_FACTOR_REQUIRED where only the password
-- of a user with a second factor was proved.
create function private.proved_caller() returns uuid; -- plpgsql stable security definer

-- The text without white space at both ends, as JavaScript's trim() does it in every locale; null where nothing is left.
-- It runs for every text written: it can be inlined, and a text with printable ASCII at both ends takes the short way.
create function private.trimmed(p_text text) returns text; -- sql immutable for authenticated, service_role

-- Unicode's default-ignorable code points, as the inside of a bracket of a regular expression: zero-width characters, controls
-- of direction, the soft hyphen, the byte order mark, joiners, variation selectors, tags. Two addresses or names that look
-- the same and differ in these are how one person passes for another. Addresses with one are refused. Brands are compared
-- without them. Names of people lose those that shape nothing. Names of records keep them.
create function private.invisible_characters() returns text; -- sql immutable for authenticated, service_role

create function private.has_invisible(p_text text) returns boolean; -- sql immutable for authenticated, service_role

-- A name without white space at both ends; null where it has no visible character.
create function private.name_or_null(p_text text) returns text; -- sql immutable for authenticated, service_role

-- The same for a column that needs a name: no visible character gives '', which the column's check refuses (23514); null stays
-- null, which `not null` refuses (23502).
create function private.required_name(p_text text) returns text; -- sql immutable for authenticated, service_role

-- A person's name without invisible characters, except those that shape a script or an emoji: a joiner between two letters of
-- a joining script (Persian, Malayalam, …) or two emoji; a variation selector after an emoji, an ideograph or a keycap digit.
create function private.clean_display_name(p_text text) returns text; -- plpgsql immutable

-- For an address that somebody types. Raises a sentence that says what to do.
create function private.assert_no_invisible(p_email text) returns void; -- plpgsql immutable

-- A pattern for `like` that finds the text anywhere, without regard to case. The characters % _ and \ mean themselves.
create function private.like_pattern(p_text text) returns text; -- sql immutable

-- The most bytes of an answer that holds many records. Rows are limited where they are requested. An answer that cannot be
-- split raises SQLSTATE 54000 (413): the caller asks for fewer rows.
create function private.answer_bytes() returns integer; -- sql immutable

create function private.assert_answer_size(p_bytes bigint) returns void; -- plpgsql immutable

-- ==== 20261122000002_sync.sql ====

-- rev = base + id of the writing transaction. Transaction ids start over in another cluster (a restored backup, an upgrade):
-- then base is raised above every rev, and a new epoch makes devices fetch everything again.
create table private.sync_state (
  only_row boolean not null default true,
  epoch uuid not null default gen_random_uuid(),
  base bigint not null default 0,
  -- The cluster and database whose transaction ids the revs count by.
  cluster text not null,
  -- Tombstones up to this rev are gone: an older cursor cannot be continued.
  pruned_through bigint not null default 0,
  constraint sync_state_pkey primary key (only_row),
  constraint sync_state_only_row_check check (only_row)
);

create table private.synced_tables (
  name text not null,
  key_column text not null,
  brand_column text not null,
  -- Columns that only the database needs: devices do not get them.
  kept_back text[] not null,
  -- The order in which a device gets the tables.
  position integer not null generated always as identity,
  -- Devices keep all rows of a table by their number. They never keep all notes.
  is_counted boolean not null default true,
  constraint synced_tables_pkey primary key (name)
);
create trigger write_pull_functions after insert or delete or update on private.synced_tables
  for each statement execute function private.follow_synced_tables();

-- What was deleted. No foreign key to the brand, so that a brand can be deleted in one statement. The row and the links that
-- the delete cleared are kept for 30 days (restore_records), the tombstone itself for 90.
create table private.tombstones (
  brand_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  rev bigint not null,
  version integer not null,
  deleted_at timestamp with time zone not null default now(),
  deleted_by uuid,
  row_data jsonb,
  links jsonb,
  -- Whose deletion took the last link of a row away, and the row with it: it comes back with that record.
  orphaned boolean not null default false,
  -- Of a tag that was merged: the other tag. A restored tag has no tombstone, so the undo of a merge deletes this value.
  merged_into uuid,
  constraint tombstones_pkey primary key (brand_id, table_name, row_id)
);
create index tombstones_by_age_idx on private.tombstones using btree (deleted_at);
create index tombstones_by_rev_idx on private.tombstones using btree (brand_id, rev, row_id, table_name);
create index tombstones_with_links_idx on private.tombstones using btree (brand_id, table_name, rev) where (links <> '[]'::jsonb);

-- The rows that requests with an Idempotency-Key have written. The transaction id tells a second statement of the same request
-- from a request that is sent again; the time is stored too, because transaction ids start over in a restored cluster.
create table private.applied_keys (
  user_id uuid not null,
  key text not null,
  seq bigint not null generated always as identity,
  table_name text not null,
  row_id uuid not null,
  xact xid8 not null,
  applied_at timestamp with time zone not null default now(),
  constraint applied_keys_pkey primary key (user_id, key, seq)
);
create index applied_keys_by_age_idx on private.applied_keys using btree (applied_at);

-- The identity of this cluster, its timeline and this database.
create function private.cluster_identity() returns text; -- plpgsql stable

-- What devices compare. It also changes where the cluster was exchanged and the bundled server has not started since.
create function private.current_epoch() returns text; -- plpgsql stable

-- Begins a new epoch, with base above every rev. Call it once after rows were restored by other tools.
create function private.raise_epoch() returns void; -- plpgsql volatile security definer

-- The bundled server calls this at each start, if it exists.
create function private.on_server_start() returns void; -- plpgsql volatile security definer

-- The bundled server calls this after a restore: devices may have seen later rows, and the rows came without triggers.
create function private.on_restore() returns void; -- plpgsql volatile security definer; body in 20261208000000_kept_figures.sql

-- The rev of everything that this transaction writes.
create function private.current_rev() returns bigint; -- plpgsql volatile security definer for authenticated, service_role

-- Before each row: sets what no client may set. A statement may write a thousand rows, so the rev is read once and kept in
-- a setting of the transaction, and the function runs with the caller's rights: changing rights and search path would
-- cost as much as all the rest.
create function private.stamp() returns trigger; -- plpgsql volatile

-- Before a row is deleted: stores a tombstone with the row and the foreign keys that the delete sets to null.
create function private.write_tombstone() returns trigger; -- plpgsql volatile security definer

-- After rows were inserted: an id that comes back has no tombstone any more and continues its version. Most ids are new, and a
-- look is cheaper than a delete that finds nothing. (A table always takes the same branch, so the other one is never planned.)
create function private.clear_tombstone() returns trigger; -- plpgsql volatile security definer; body in 20261207000000_writes_cost_less.sql

-- The request's Idempotency-Key, or null. It can be inlined.
create function private.request_key() returns text; -- sql stable

-- Before each statement of a request with a key: refuses a request that was applied already. The client takes PT409 as success;
-- `details` name the row that was written last, whose id the caller of an RPC may have to learn. The lock makes a second request
-- with the same key wait for the first one. A request with a key comes from a device's outbox and needs a session that has not
-- ended (assert_session, here without its detours).
create function private.check_key() returns trigger; -- plpgsql volatile security definer; body in 20261207000100_keys_only_where_sent.sql

-- As before, with the check for null.
create function private.record_key() returns trigger; -- plpgsql volatile security definer; body in 20270124000000_empty_keys.sql

-- Removes what is too old, a little at a time; a write calls it now and then. Only one caller prunes, the others go on.
create function private.prune() returns void; -- plpgsql volatile security definer

-- Gives a table the triggers that keep it in sync, the index that `pull` reads by, and live events.
create procedure private.keep_in_sync(in p_table regclass, in p_key text default 'id'::text, in p_kept_back text[] default '{}'::text[]); -- plpgsql volatile; body in 20261207000100_keys_only_where_sent.sql

-- ==== 20261122000003_brands.sql ====

create table public.brands (
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null,
  slug text not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  requires_second_factor boolean not null default false,
  constraint brands_pkey primary key (id),
  constraint brands_slug_key unique (slug),
  constraint brands_name_check check (((name <> ''::text) and (length(name) <= 200)))
);
alter table public.brands enable row level security;
alter publication supabase_realtime add table public.brands;
grant delete, insert (id, name, slug), select, update (name) on public.brands to authenticated;
grant delete, insert, select, update on public.brands to service_role;
create trigger begin_life after insert on public.brands
  for each row execute function private.begin_brand_life();
create trigger begin_life_of_new_id after update of id on public.brands
  for each row when ((new.id <> old.id)) execute function private.begin_brand_life();
create trigger check_key before insert or delete or update on public.brands
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger delete_tombstones after delete on public.brands
  for each row execute function private.delete_tombstones_of_brand();
create trigger end_life after delete on public.brands
  for each row execute function private.end_brand_life();
create trigger end_life_of_old_id after update of id on public.brands
  for each row when ((new.id <> old.id)) execute function private.end_brand_life();
create trigger forget_figures after delete on public.brands
  for each row execute function private.forget_figures();
create trigger give_default_stages after insert on public.brands
  for each row execute function private.give_default_stages();
create trigger limit_founding before insert on public.brands
  for each row execute function private.limit_founding();
create trigger make_founder_owner after insert on public.brands
  for each row execute function private.make_founder_owner();
create trigger prune before insert or delete or update on public.brands
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_change after update on public.brands
  for each row when (((new.name <> old.name) or (new.requires_second_factor <> old.requires_second_factor))) execute function private.record_brand();
create trigger record_key after insert or delete or update on public.brands
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger remove_direction_controls before insert or update of name on public.brands
  for each row execute function private.remove_direction_controls();
create trigger stamp before insert or update on public.brands
  for each row execute function private.stamp();
create trigger tidy before insert or update on public.brands
  for each row execute function private.tidy_brand();
create policy "members see their brands" on public.brands for select to authenticated
  using ((id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "owners delete their brands" on public.brands for delete to authenticated
  using ((id = any (array( select private.my_brand_ids('owner'::text) as my_brand_ids))));
create policy "owners rename their brands" on public.brands for update to authenticated
  using ((id = any (array( select private.my_brand_ids('owner'::text) as my_brand_ids))));
create policy "the secret key sees every brand" on public.brands for all to service_role
  using (true);
create policy "whoever is signed in may found a brand" on public.brands for insert to authenticated
  with check ((( select private.session_level() as session_level) >= 1));

-- One row for each brand that ever existed; it is never deleted. Clients choose ids, and every former member knows theirs:
-- a new brand under an old id would inherit what still carries the id (the audit log, a topic, an old device). No foreign
-- key, so that the row outlives the brand, in backups too.
create table private.brand_lives (
  id uuid not null,
  founded_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint brand_lives_pkey primary key (id)
);
create trigger keep before delete on private.brand_lives
  for each row execute function private.keep_brand_lives();
create trigger keep_all before truncate on private.brand_lives
  for each statement execute function private.keep_brand_lives();

-- The brands in which the caller has at least this role (member, admin, owner) and that are open to this session: it has not
-- ended, and is proved as well as the user's factors and the brand demand. Policies call it once a statement:
-- `brand_id = any (array(select private.my_brand_ids('admin')))`; any other form is evaluated once a row. It repeats the
-- conditions of session_level() in one statement with the memberships: nearly every request runs it, an update twice.
create function private.my_brand_ids(p_role text default 'member'::text) returns setof uuid; -- plpgsql stable security definer for authenticated, service_role; body in 20261207000000_writes_cost_less.sql

-- For functions that bypass row security: refuses callers without this role before anything is read. Raises
-- SECOND_FACTOR_REQUIRED to members who still have to prove a factor, and NOT_AUTHORIZED to everybody else; a device that
-- gets NOT_AUTHORIZED wipes the brand. Generic plan: searches force custom plans, and these statements do not need them.
create function private.assert_role(p_brand_id uuid, p_role text) returns void; -- plpgsql stable security definer

create function private.assert_member(p_brand_id uuid) returns void; -- plpgsql stable security definer

-- The slug is the name in lower case, with one hyphen for each run of characters that are neither letter nor digit in any
-- script. What the client sends is ignored: JavaScript and PostgreSQL differ in what a letter is. Invisible characters do not
-- count, so names that look the same have one slug. A slug changes only with the name.
create function private.tidy_brand() returns trigger; -- plpgsql volatile security definer

-- Refuses an id that a brand had before, whoever asks. The error is the same as for an id in use, so that a stranger learns
-- nothing from it.
create function private.begin_brand_life() returns trigger; -- plpgsql volatile security definer

create function private.end_brand_life() returns trigger; -- plpgsql volatile security definer

-- Deleting a row would free the id.
create function private.keep_brand_lives() returns trigger; -- plpgsql volatile

-- The copies of deleted records are deleted with their brand.
create function private.delete_tombstones_of_brand() returns trigger; -- plpgsql volatile security definer

-- ==== 20261122000004_members.sql ====

create table public.memberships (
  brand_id uuid not null,
  user_id uuid not null,
  role text not null default 'member'::text,
  display_name text collate "und-x-icu" not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  -- Null: somebody else added this person (created_by), who has not opened the brand yet.
  opened_at timestamp with time zone,
  constraint memberships_pkey primary key (brand_id, user_id),
  constraint memberships_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint memberships_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint memberships_display_name_check check (((display_name <> ''::text) and (length(display_name) <= 200))),
  constraint memberships_role_check check ((role = any (array['member'::text, 'admin'::text, 'owner'::text])))
);
alter table public.memberships enable row level security;
alter publication supabase_realtime add table public.memberships;
grant delete, select, update (role, display_name) on public.memberships to authenticated;
grant delete, insert, select, update on public.memberships to service_role;
create index memberships_by_rev_idx on public.memberships using btree (brand_id, rev, user_id);
create index memberships_by_user_idx on public.memberships using btree (user_id, brand_id);
create trigger check_key before insert or delete or update on public.memberships
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.memberships referencing new table as arrived
  for each statement execute function private.clear_tombstone('user_id');
create trigger end_invitations_when_demoted after update of role on public.memberships
  for each row when ((new.role <> old.role)) execute function private.end_invitations();
create trigger end_invitations_when_leaving after delete on public.memberships
  for each row execute function private.end_invitations();
create trigger forget_added_address after update of opened_at on public.memberships
  for each row when (((old.opened_at is null) and (new.opened_at is not null))) execute function private.note_added_address();
create trigger guard before update on public.memberships
  for each row execute function private.guard_membership();
create trigger keep_an_owner_when_demoted after update of role on public.memberships
  for each row when (((old.role = 'owner'::text) and (new.role <> 'owner'::text))) execute function private.keep_an_owner();
create trigger keep_an_owner_when_leaving after delete on public.memberships
  for each row when ((old.role = 'owner'::text)) execute function private.keep_an_owner();
create trigger keep_name after insert or delete on public.memberships
  for each row execute function private.keep_name_of_member();
create trigger limit_unopened before insert on public.memberships
  for each row when ((new.opened_at is null)) execute function private.limit_unopened();
create trigger note_added_address after insert on public.memberships
  for each row when ((new.opened_at is null)) execute function private.note_added_address();
create trigger prune before insert or delete or update on public.memberships
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger read_added after update of opened_at on public.memberships
  for each row when (((old.opened_at is null) and (new.opened_at is not null))) execute function private.read_added();
create trigger record_coming_and_going after insert or delete on public.memberships
  for each row execute function private.record_membership();
create trigger record_key after insert or delete or update on public.memberships
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('user_id');
create trigger record_role after update of role on public.memberships
  for each row when ((new.role <> old.role)) execute function private.record_membership();
create trigger stamp before insert or update on public.memberships
  for each row execute function private.stamp();
create trigger take_former_name before insert on public.memberships
  for each row when ((new.display_name is null)) execute function private.take_former_name();
create trigger tell_added after insert on public.memberships
  for each row when (((new.opened_at is null) and (new.created_by <> new.user_id))) execute function private.tell_added();
create trigger tell_inviter after insert on public.memberships
  for each row when ((new.created_by <> new.user_id)) execute function private.tell_inviter();
create trigger tidy before insert or update on public.memberships
  for each row execute function private.tidy_membership();
create trigger write_tombstone before delete on public.memberships
  for each row execute function private.write_tombstone('user_id');
create policy "admins remove members and admins" on public.memberships for delete to authenticated
  using (((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))) and (role <> 'owner'::text)));
create policy "admins set the role of members and admins" on public.memberships for update to authenticated
  using (((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))) and (role <> 'owner'::text)))
  with check (((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))) and (role <> 'owner'::text)));
create policy "anyone may leave" on public.memberships for delete to authenticated
  using (((user_id = ( select private.caller_id() as caller_id)) and (brand_id = any (array( select private.my_brand_ids() as my_brand_ids)))));
create policy "members call themselves as they like" on public.memberships for update to authenticated
  using (((user_id = ( select private.caller_id() as caller_id)) and (brand_id = any (array( select private.my_brand_ids() as my_brand_ids)))));
create policy "members see who belongs to their brands" on public.memberships for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "owners remove everybody" on public.memberships for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('owner'::text) as my_brand_ids))));
create policy "owners set every role" on public.memberships for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('owner'::text) as my_brand_ids))));
create policy "the secret key sees every membership" on public.memberships for all to service_role
  using (true);

-- Which sessions have opened which brands. A row lasts as long as the membership, not the session: the audit log shows the
-- sign-out too.
create table private.brand_openings (
  brand_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  at timestamp with time zone not null default now(),
  constraint brand_openings_pkey primary key (brand_id, user_id, session_id),
  constraint brand_openings_brand_id_user_id_fkey foreign key (brand_id, user_id) references public.memberships(brand_id, user_id) on delete cascade
);

-- The address by which somebody was added, until they open the brand. A person is added without being asked, so the brand
-- shows nothing of their account before that.
create table private.added_addresses (
  brand_id uuid not null,
  user_id uuid not null,
  email text,
  constraint added_addresses_pkey primary key (brand_id, user_id),
  constraint added_addresses_brand_id_user_id_fkey foreign key (brand_id, user_id) references public.memberships(brand_id, user_id) on delete cascade
);

-- How often a caller has tried to add an address that has no account.
create table private.unknown_addresses (
  user_id uuid not null,
  at timestamp with time zone not null,
  n integer not null default 1,
  constraint unknown_addresses_pkey primary key (user_id, at)
);

-- Without a display name, the member gets the local part of their e-mail address.
create function private.tidy_membership() returns trigger; -- plpgsql volatile security definer

-- Policies decide by row; what a caller may change also depends on the column. It runs with the caller's rights, so that the
-- owner's functions are not refused.
create function private.guard_membership() returns trigger; -- plpgsql volatile

-- A brand keeps one owner. It runs after the change, so that a statement over several owners is judged as a whole. The lock on
-- the brand makes two requests that each remove another owner take turns.
create function private.keep_an_owner() returns trigger; -- plpgsql volatile security definer

create function private.note_added_address() returns trigger; -- plpgsql volatile security definer

-- Records that this session of the caller has opened the brand.
create function private.note_opening(p_brand_id uuid) returns void; -- plpgsql volatile security definer

-- Who founds a brand becomes its owner and has opened it.
create function private.make_founder_owner() returns trigger; -- plpgsql volatile security definer

-- The members with their e-mail addresses, which only fellow members see.
create function public.list_brand_members(p_brand_id uuid) returns table(user_id uuid, email text, role text, created_at timestamp with time zone); -- plpgsql stable security definer for authenticated, service_role

-- Refuses callers who may not add or invite somebody with this role: admins add members and admins, owners add owners too.
create function private.assert_may_invite(p_brand_id uuid, p_role text) returns void; -- plpgsql stable security definer

-- Whether the caller has met too many unknown addresses within a minute.
create function private.asks_too_often(p_user uuid) returns boolean; -- plpgsql stable security definer

-- The bundled server reports what an RPC has raised, in a transaction of its own: a count inside the refused transaction would
-- be rolled back. True: too many; the server answers 429 in place of the refusal.
create function private.on_refusal(p_user uuid, p_message text) returns boolean; -- plpgsql volatile security definer

-- Adds somebody who has an account with a confirmed address; returns their user id. Raises NOT_AUTHORIZED, USER_NOT_FOUND,
-- ALREADY_MEMBER, and PT429 after 30 unknown addresses within a minute.
create function public.add_brand_member_by_email(p_brand_id uuid, p_email text, p_role text default 'member'::text) returns uuid; -- plpgsql volatile security definer for authenticated, service_role

-- The caller opens the brand in this session. Calling it again does no harm. Raises NOT_AUTHORIZED, SECOND_FACTOR_REQUIRED.
create function public.open_brand(p_brand_id uuid) returns void; -- plpgsql volatile security definer for authenticated

-- The caller's brands that they were added to and have not opened: by whom (null where that member has gone) and when.
create function public.unopened_brands() returns table(brand_id uuid, added_by text, added_at timestamp with time zone); -- plpgsql stable security definer for authenticated

-- Makes another member owner and the caller an admin: both or neither. Raises NOT_AUTHORIZED where the caller is no owner, and
-- USER_NOT_FOUND where the other one is no member or is the caller. Locks are taken in the order of every change of
-- a membership: memberships first, the brand last (keep_an_owner). Otherwise it could deadlock with a member who leaves.
create function public.hand_over_brand(p_brand_id uuid, p_user_id uuid) returns void; -- plpgsql volatile security definer for authenticated

-- ==== 20261122000005_deal_stages.sql ====

create table public.deal_stages (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null,
  position integer not null,
  kind text not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  pipeline_id uuid not null,
  color text,
  probability integer,
  usual_days integer,
  constraint deal_stages_pkey primary key (brand_id, id),
  constraint deal_stages_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint deal_stages_brand_id_pipeline_id_fkey foreign key (brand_id, pipeline_id) references public.pipelines(brand_id, id),
  constraint deal_stages_color_check check ((color = any (array['grey'::text, 'slate'::text, 'blue'::text, 'violet'::text, 'amber'::text, 'green'::text, 'red'::text]))),
  constraint deal_stages_kind_check check ((kind = any (array['open'::text, 'won'::text, 'lost'::text]))),
  constraint deal_stages_name_check check (((name <> ''::text) and (length(name) <= 200))),
  constraint deal_stages_position_check check (("position" > 0)),
  constraint deal_stages_probability_check check (((probability >= 0) and (probability <= 100))),
  constraint deal_stages_usual_days_check check (((usual_days >= 1) and (usual_days <= 3650)))
);
alter table public.deal_stages enable row level security;
alter publication supabase_realtime add table public.deal_stages;
grant delete, insert (brand_id, id, name, position, kind, pipeline_id, color, probability, usual_days), select, update (name, position, kind, color, probability, usual_days) on public.deal_stages to authenticated;
grant delete, insert, select, update on public.deal_stages to service_role;
create index deal_stages_by_rev_idx on public.deal_stages using btree (brand_id, rev, id);
create index deal_stages_in_order_idx on public.deal_stages using btree (brand_id, pipeline_id, "position");
create trigger check_key before insert or delete or update on public.deal_stages
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.deal_stages referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger close_deals_of_stage after update of kind on public.deal_stages
  for each row when ((old.kind <> new.kind)) execute function private.close_deals_of_stage();
create trigger forget_closing_days after update of kind on public.deal_stages
  for each row when ((old.kind <> new.kind)) execute function private.forget_closing_days();
create trigger prune before insert or delete or update on public.deal_stages
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.deal_stages
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger stamp before insert or update on public.deal_stages
  for each row execute function private.stamp();
create trigger tidy before insert or update on public.deal_stages
  for each row execute function private.tidy_deal_stage();
create trigger wait_for_deals before update of kind on public.deal_stages
  for each row when ((old.kind <> new.kind)) execute function private.wait_for_deals();
create trigger write_tombstone before delete on public.deal_stages
  for each row execute function private.write_tombstone('id');
create policy "admins and owners add stages" on public.deal_stages for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "admins and owners change stages" on public.deal_stages for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "admins and owners delete stages" on public.deal_stages for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "members see the stages of their brands" on public.deal_stages for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every stage" on public.deal_stages for all to service_role
  using (true);

-- A stage without a pipeline belongs to the first one, without a position it goes last; one without a kind gets it from its name. At most 30 a
-- pipeline, for people.
create function private.tidy_deal_stage() returns trigger; -- plpgsql volatile security definer; body in 20261214000000_pipelines.sql

-- A new brand starts with one pipeline of six stages.
create function private.give_default_stages() returns trigger; -- plpgsql volatile security definer; body in 20261214000000_pipelines.sql

-- ==== 20261122000006_companies.sql ====

create table public.companies (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null,
  domain text,
  phone text,
  website text,
  notes text,
  owner_id uuid,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  tag_ids uuid[] not null default '{}'::uuid[],
  custom jsonb not null default '{}'::jsonb,
  constraint companies_pkey primary key (brand_id, id),
  constraint companies_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint companies_brand_id_owner_id_fkey foreign key (brand_id, owner_id) references public.memberships(brand_id, user_id) on delete set null (owner_id),
  constraint companies_custom_check check ((jsonb_typeof(custom) = 'object'::text)),
  constraint companies_domain_check check ((length(domain) <= 253)),
  constraint companies_name_check check (((name <> ''::text) and (length(name) <= 200))),
  constraint companies_notes_check check ((length(notes) <= 10000)),
  constraint companies_phone_check check ((length(phone) <= 50)),
  constraint companies_tag_ids_check check ((cardinality(tag_ids) <= 100)),
  constraint companies_website_check check ((length(website) <= 2000))
);
alter table public.companies enable row level security;
alter publication supabase_realtime add table public.companies;
grant delete, insert (brand_id, id, name, domain, phone, website, notes, owner_id, tag_ids, custom), select, update (name, domain, phone, website, notes, owner_id, tag_ids, custom) on public.companies to authenticated;
grant delete, insert, select, update on public.companies to service_role;
create index companies_by_custom_idx on public.companies using gin (brand_id, custom jsonb_path_ops) where (custom <> '{}'::jsonb);
create index companies_by_folded_name_idx on public.companies using btree (brand_id, lower(name), created_at, id);
create index companies_by_owner_idx on public.companies using btree (brand_id, owner_id) where (owner_id is not null);
create index companies_by_rev_idx on public.companies using btree (brand_id, rev, id);
create index companies_by_tag_idx on public.companies using gin (tag_ids) where (tag_ids <> '{}'::uuid[]);
create index companies_in_name_order_idx on public.companies using btree (brand_id, name collate private.by_name, created_at desc, id);
create index companies_newest_idx on public.companies using btree (brand_id, created_at desc, id);
create trigger add_custom before insert on public.companies
  for each row when ((new.custom is distinct from '{}'::jsonb)) execute function private.merge_custom();
create trigger add_words after insert on public.companies referencing new table as arrived
  for each statement execute function private.add_company_words();
create trigger check_key before insert or delete or update on public.companies
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.companies referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger lock_against_links before update of name on public.companies
  for each row when ((old.name is distinct from new.name)) execute function private.lock_against_links();
create trigger merge_custom before update of custom on public.companies
  for each row when ((new.custom is distinct from old.custom)) execute function private.merge_custom();
create trigger note_arrived after insert on public.companies referencing new table as changed
  for each statement execute function private.note_count();
create trigger note_field_changes after update of name, owner_id on public.companies
  for each row when (((old.name is distinct from new.name) or (old.owner_id is distinct from new.owner_id))) execute function private.note_field_changes('name', 'owner_id');
create trigger note_gone after delete on public.companies referencing old table as changed
  for each statement execute function private.note_count();
create trigger note_other_owner after update of brand_id, owner_id on public.companies
  for each row when (((old.owner_id is distinct from new.owner_id) or (old.brand_id <> new.brand_id))) execute function private.note_other_owner();
create trigger note_tag_change after update of tag_ids on public.companies
  for each row when ((old.tag_ids <> new.tag_ids)) execute function private.note_tag_change();
create trigger prune before insert or delete or update on public.companies
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.companies
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger spread_name after update of name on public.companies
  for each row when ((old.name is distinct from new.name)) execute function private.spread_company_name();
create trigger stamp before insert or update on public.companies
  for each row execute function private.stamp();
create trigger tell_assignee after update of owner_id on public.companies
  for each row when ((new.owner_id is distinct from old.owner_id)) execute function private.tell_assignee('owner_id');
create trigger tell_first_assignee after insert on public.companies
  for each row when (((new.owner_id is distinct from new.created_by) and (new.owner_id is not null))) execute function private.tell_assignee('owner_id');
create trigger tidy before insert or update on public.companies
  for each row execute function private.tidy_company();
create trigger tidy_first_tags before insert on public.companies
  for each row when ((new.tag_ids <> '{}'::uuid[])) execute function private.tidy_tag_ids();
create trigger tidy_tags before update of tag_ids on public.companies
  for each row when (((new.tag_ids <> '{}'::uuid[]) and (new.tag_ids <> old.tag_ids))) execute function private.tidy_tag_ids();
create trigger write_tombstone before delete on public.companies
  for each row execute function private.write_tombstone('id');
create trigger write_words after update of name, domain, website on public.companies
  for each row execute function private.write_company_words();
create policy "members add companies to their brands" on public.companies for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members change the companies of their brands" on public.companies for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members delete companies of their brands" on public.companies for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members see the companies of their brands" on public.companies for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every company" on public.companies for all to service_role
  using (true);

create function private.tidy_company() returns trigger; -- plpgsql volatile

-- The lock, one a brand, under which companies are looked up again and created: two requests never create one name twice.
create function private.lock_companies(p_brand_id uuid) returns void; -- plpgsql volatile security definer

-- The id of the company with this name (trimmed already), compared without regard to case; the oldest one wins. Creates it
-- where there is none.
create function private.find_or_create_company(p_brand_id uuid, p_name text) returns uuid; -- plpgsql volatile security definer

-- These companies as `pull` answers them, in the order of the ids. Raises 54000 where they are larger than an answer may be.
create function private.companies_json(p_brand_id uuid, p_ids uuid[]) returns json; -- plpgsql stable security definer

-- ==== 20261122000007_contacts.sql ====

create table public.contacts (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  first_name text collate "und-x-icu",
  last_name text collate "und-x-icu",
  email text,
  phone text,
  title text,
  company_id uuid,
  owner_id uuid,
  import_id uuid,
  -- The address in lower case: one contact for each. Text, because under row security only `text =` reaches an index. Set by
  -- a trigger, because PostgreSQL 18 refuses to publish the old row of a table with a generated column.
  email_norm text,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  -- The ids of a record's tags, sorted. Ids of deleted tags may be among them (docs/decisions/061).
  tag_ids uuid[] not null default '{}'::uuid[],
  custom jsonb not null default '{}'::jsonb,
  constraint contacts_pkey primary key (brand_id, id),
  constraint contacts_email_key unique (brand_id, email_norm),
  constraint contacts_brand_id_company_id_fkey foreign key (brand_id, company_id) references public.companies(brand_id, id) on delete set null (company_id),
  constraint contacts_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint contacts_brand_id_owner_id_fkey foreign key (brand_id, owner_id) references public.memberships(brand_id, user_id) on delete set null (owner_id),
  constraint contacts_custom_check check ((jsonb_typeof(custom) = 'object'::text)),
  constraint contacts_email_check check ((((length(email) >= 3) and (length(email) <= 320)) and (email ~ '^[^@]+@[^@]+$'::text))),
  constraint contacts_first_name_check check ((length(first_name) <= 200)),
  constraint contacts_last_name_check check ((length(last_name) <= 200)),
  constraint contacts_phone_check check ((length(phone) <= 50)),
  constraint contacts_tag_ids_check check ((cardinality(tag_ids) <= 100)),
  constraint contacts_title_check check ((length(title) <= 200))
);
alter table public.contacts enable row level security;
alter publication supabase_realtime add table public.contacts;
grant delete, insert (brand_id, id, first_name, last_name, email, phone, title, company_id, owner_id, tag_ids, custom), select, update (first_name, last_name, email, phone, title, company_id, owner_id, tag_ids, custom) on public.contacts to authenticated;
grant delete, insert, select, update on public.contacts to service_role;
create index contacts_by_custom_idx on public.contacts using gin (brand_id, custom jsonb_path_ops) where (custom <> '{}'::jsonb);
create index contacts_by_import_idx on public.contacts using btree (brand_id, import_id, id) where (import_id is not null);
create index contacts_by_rev_idx on public.contacts using btree (brand_id, rev, id);
create index contacts_by_tag_idx on public.contacts using gin (tag_ids) where (tag_ids <> '{}'::uuid[]);
create index contacts_in_email_order_idx on public.contacts using btree (brand_id, email_norm collate private.by_name, created_at desc, id);
create index contacts_in_name_order_idx on public.contacts using btree (brand_id, first_name collate private.by_name, last_name collate private.by_name, created_at desc, id);
create index contacts_newest_idx on public.contacts using btree (brand_id, created_at desc, id);
create index contacts_of_company_idx on public.contacts using btree (brand_id, company_id, created_at desc, id);
create index contacts_of_owner_idx on public.contacts using btree (brand_id, owner_id, created_at desc, id);
create trigger add_custom before insert on public.contacts
  for each row when ((new.custom is distinct from '{}'::jsonb)) execute function private.merge_custom();
create trigger add_words after insert on public.contacts referencing new table as arrived
  for each statement execute function private.add_contact_words();
create trigger check_key before insert or delete or update on public.contacts
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.contacts referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger lock_against_links before update of first_name, last_name on public.contacts
  for each row when (((old.first_name is distinct from new.first_name) or (old.last_name is distinct from new.last_name))) execute function private.lock_against_links();
create trigger merge_custom before update of custom on public.contacts
  for each row when ((new.custom is distinct from old.custom)) execute function private.merge_custom();
create trigger note_arrived after insert on public.contacts referencing new table as changed
  for each statement execute function private.note_count();
create trigger note_field_changes after update of email, phone, company_id, owner_id on public.contacts
  for each row when (((((old.email is distinct from new.email) or (old.phone is distinct from new.phone)) or (old.company_id is distinct from new.company_id)) or (old.owner_id is distinct from new.owner_id))) execute function private.note_field_changes('email', 'phone', 'company_id', 'owner_id');
create trigger note_gone after delete on public.contacts referencing old table as changed
  for each statement execute function private.note_count();
create trigger note_other_owner after update of brand_id, owner_id on public.contacts
  for each row when (((old.owner_id is distinct from new.owner_id) or (old.brand_id <> new.brand_id))) execute function private.note_other_owner();
create trigger note_tag_change after update of tag_ids on public.contacts
  for each row when ((old.tag_ids <> new.tag_ids)) execute function private.note_tag_change();
create trigger prune before insert or delete or update on public.contacts
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.contacts
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger replace_deleted_company before insert on public.contacts
  for each row when (((new.company_id is not null) and (new.import_id is null) and (current_setting('role'::text) <> all (array['none'::text, (CURRENT_USER)::text])) and (coalesce(current_setting('private.restoring'::text, true), ''::text) = ''::text))) execute function private.replace_deleted_company();
create trigger replace_deleted_company_of_known before update of company_id on public.contacts
  for each row when (((new.company_id is not null) and (new.company_id is distinct from old.company_id) and (current_setting('role'::text) <> all (array['none'::text, (CURRENT_USER)::text])))) execute function private.replace_deleted_company();
create trigger restore_deal_contacts after insert on public.contacts
  for each row when ((current_setting('private.restoring'::text, true) = 'on'::text)) execute function private.restore_deal_contacts('contact_id');
create trigger spread_name after update of first_name, last_name on public.contacts
  for each row when (((old.first_name is distinct from new.first_name) or (old.last_name is distinct from new.last_name))) execute function private.spread_contact_name();
create trigger stamp before insert or update on public.contacts
  for each row execute function private.stamp();
create trigger tell_assignee after update of owner_id on public.contacts
  for each row when ((new.owner_id is distinct from old.owner_id)) execute function private.tell_assignee('owner_id');
create trigger tell_first_assignee after insert on public.contacts
  for each row when (((new.owner_id is distinct from new.created_by) and (new.owner_id is not null))) execute function private.tell_assignee('owner_id');
create trigger tidy before insert or update on public.contacts
  for each row execute function private.tidy_contact();
create trigger tidy_first_tags before insert on public.contacts
  for each row when ((new.tag_ids <> '{}'::uuid[])) execute function private.tidy_tag_ids();
create trigger tidy_tags before update of tag_ids on public.contacts
  for each row when (((new.tag_ids <> '{}'::uuid[]) and (new.tag_ids <> old.tag_ids))) execute function private.tidy_tag_ids();
create trigger write_tombstone before delete on public.contacts
  for each row execute function private.write_tombstone('id');
create trigger write_words after update of first_name, last_name, email, title, phone, company_id on public.contacts
  for each row execute function private.write_contact_words();
create policy "members add contacts to their brands" on public.contacts for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members change the contacts of their brands" on public.contacts for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members delete contacts of their brands" on public.contacts for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members see the contacts of their brands" on public.contacts for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every contact" on public.contacts for all to service_role
  using (true);

create function private.tidy_contact() returns trigger; -- plpgsql volatile

-- What is wrong with a contact that somebody wants to add, or null: one rule for the form and the import. Texts are trimmed.
create function private.contact_problem(p_email text, p_first text, p_last text, p_company text) returns text; -- sql immutable

-- What upsert_contact and the import do with one row. A null name or company keeps what is stored, and so does the spelling of
-- the e-mail. Where nothing changes, nothing is written. A new contact belongs to the caller; an imported one to nobody.
create function private.upsert_contact_row(p_brand_id uuid, p_email text, p_first text, p_last text, p_company text, p_id uuid, p_import_id uuid, out id uuid, out status text) returns record; -- plpgsql volatile security definer

-- Adds a contact, or completes the one with that e-mail; returns its id. `p_id` is the id of a new one.
create function public.upsert_contact(p_brand_id uuid, p_email text, p_first text default null::text, p_last text default null::text, p_company_name text default null::text, p_id uuid default null::uuid) returns uuid; -- plpgsql volatile security definer for authenticated, service_role

-- These contacts as `pull` answers them, in the order of the ids.
create function private.contacts_json(p_brand_id uuid, p_ids uuid[]) returns json; -- plpgsql stable security definer

-- ==== 20261122000008_deals.sql ====

create table public.deals (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null,
  amount numeric not null default 0,
  amount_currency text not null default 'GBP'::text,
  stage_id uuid not null,
  -- Browsers cannot read dates before year 1, nor 'infinity'.
  expected_close_date date,
  contact_id uuid,
  company_id uuid,
  owner_id uuid,
  closed_at timestamp with time zone,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  tag_ids uuid[] not null default '{}'::uuid[],
  custom jsonb not null default '{}'::jsonb,
  stage_since timestamp with time zone not null default now(),
  lost_reason text,
  constraint deals_pkey primary key (brand_id, id),
  constraint deals_brand_id_company_id_fkey foreign key (brand_id, company_id) references public.companies(brand_id, id) on delete set null (company_id),
  constraint deals_brand_id_contact_id_fkey foreign key (brand_id, contact_id) references public.contacts(brand_id, id) on delete set null (contact_id),
  constraint deals_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint deals_brand_id_owner_id_fkey foreign key (brand_id, owner_id) references public.memberships(brand_id, user_id) on delete set null (owner_id),
  constraint deals_brand_id_stage_id_fkey foreign key (brand_id, stage_id) references public.deal_stages(brand_id, id),
  constraint deals_amount_check check (((amount >= (0)::numeric) and (amount < '10000000000000'::numeric))),
  constraint deals_amount_currency_check check ((amount_currency ~ '^[A-Z]{3}$'::text)),
  constraint deals_amount_scale_check check ((min_scale(amount) <=
case
    when (strpos('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'::text, amount_currency) > 0) then 0
    else 2
end)),
  constraint deals_closed_at_check check (((closed_at >= '0001-01-02 00:00:00+00'::timestamp with time zone) and (closed_at < '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint deals_custom_check check ((jsonb_typeof(custom) = 'object'::text)),
  constraint deals_expected_close_date_check check (((expected_close_date >= '0001-01-01'::date) and (expected_close_date <= '9999-12-31'::date))),
  constraint deals_lost_reason_check check ((length(lost_reason) <= 200)),
  constraint deals_name_check check (((name <> ''::text) and (length(name) <= 200))),
  constraint deals_tag_ids_check check ((cardinality(tag_ids) <= 100))
);
alter table public.deals enable row level security;
alter publication supabase_realtime add table public.deals;
grant delete, insert (brand_id, id, name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id, owner_id, closed_at, tag_ids, custom, lost_reason), select, update (name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id, owner_id, closed_at, tag_ids, custom, lost_reason) on public.deals to authenticated;
grant delete, insert, select, update on public.deals to service_role;
create index deals_by_company_idx on public.deals using btree (brand_id, company_id) where (company_id is not null);
create index deals_by_contact_idx on public.deals using btree (brand_id, contact_id) where (contact_id is not null);
create index deals_by_custom_idx on public.deals using gin (brand_id, custom jsonb_path_ops) where (custom <> '{}'::jsonb);
create index deals_by_owner_idx on public.deals using btree (brand_id, owner_id) where (owner_id is not null);
create index deals_by_rev_idx on public.deals using btree (brand_id, rev, id);
create index deals_by_stage_idx on public.deals using btree (brand_id, stage_id, created_at desc, id) include (amount_currency, amount);
create index deals_by_tag_idx on public.deals using gin (tag_ids) where (tag_ids <> '{}'::uuid[]);
create index deals_in_closing_order_idx on public.deals using btree (brand_id, expected_close_date, name collate private.by_name, id) include (stage_id, owner_id, amount_currency, amount);
create index deals_in_name_order_idx on public.deals using btree (brand_id, name collate private.by_name, created_at desc, id);
create index deals_newest_idx on public.deals using btree (brand_id, created_at desc, id);
create trigger add_custom before insert on public.deals
  for each row when ((new.custom is distinct from '{}'::jsonb)) execute function private.merge_custom();
create trigger add_words after insert on public.deals referencing new table as arrived
  for each statement execute function private.add_deal_words();
create trigger check_key before insert or delete or update on public.deals
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.deals referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger keep_closing_day after update of closed_at on public.deals
  for each row when (((old.closed_at is not null) and (new.closed_at is null) and (old.stage_id = new.stage_id))) execute function private.keep_closing_day();
create trigger merge_custom before update of custom on public.deals
  for each row when ((new.custom is distinct from old.custom)) execute function private.merge_custom();
create trigger note_amount_change after update of amount, amount_currency on public.deals
  for each row when (((old.amount is distinct from new.amount) or (old.amount_currency is distinct from new.amount_currency))) execute function private.note_amount_change();
create trigger note_arrived_sums after insert on public.deals referencing new table as arrived
  for each statement execute function private.note_sums();
create trigger note_changed_sums after update on public.deals referencing old table as gone new table as arrived
  for each statement execute function private.note_sums();
create trigger note_field_changes after update of name, expected_close_date, contact_id, company_id, owner_id on public.deals
  for each row when ((((((old.name is distinct from new.name) or (old.expected_close_date is distinct from new.expected_close_date)) or (old.contact_id is distinct from new.contact_id)) or (old.company_id is distinct from new.company_id)) or (old.owner_id is distinct from new.owner_id))) execute function private.note_field_changes('name', 'expected_close_date', 'contact_id', 'company_id', 'owner_id');
create trigger note_first_stage after insert on public.deals
  for each row execute function private.note_stage_change();
create trigger note_gone_sums after delete on public.deals referencing old table as gone
  for each statement execute function private.note_sums();
create trigger note_stage_change after update of stage_id on public.deals
  for each row when ((old.stage_id is distinct from new.stage_id)) execute function private.note_stage_change();
create trigger note_tag_change after update of tag_ids on public.deals
  for each row when ((old.tag_ids <> new.tag_ids)) execute function private.note_tag_change();
create trigger prune before insert or delete or update on public.deals
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.deals
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger restore_deal_contacts after insert on public.deals
  for each row when ((current_setting('private.restoring'::text, true) = 'on'::text)) execute function private.restore_deal_contacts('deal_id');
create trigger stamp before insert or update on public.deals
  for each row execute function private.stamp();
create trigger tell_assignee after update of owner_id on public.deals
  for each row when ((new.owner_id is distinct from old.owner_id)) execute function private.tell_assignee('owner_id');
create trigger tell_first_assignee after insert on public.deals
  for each row when (((new.owner_id is distinct from new.created_by) and (new.owner_id is not null))) execute function private.tell_assignee('owner_id');
create trigger tell_owner_of_move after update of stage_id on public.deals
  for each row when (((new.stage_id is distinct from old.stage_id) and (new.owner_id is distinct from new.updated_by) and (new.owner_id is not null))) execute function private.tell_owner_of_move();
create trigger tidy before insert or update on public.deals
  for each row execute function private.tidy_deal();
create trigger tidy_first_tags before insert on public.deals
  for each row when ((new.tag_ids <> '{}'::uuid[])) execute function private.tidy_tag_ids();
create trigger tidy_former_day before update of closed_at on public.deals
  for each row when (((old.closed_at is null) and (new.closed_at = now()) and (old.stage_id = new.stage_id))) execute function private.take_former_closing_day();
create trigger tidy_tags before update of tag_ids on public.deals
  for each row when (((new.tag_ids <> '{}'::uuid[]) and (new.tag_ids <> old.tag_ids))) execute function private.tidy_tag_ids();
create trigger write_tombstone before delete on public.deals
  for each row execute function private.write_tombstone('id');
create trigger write_words after update of name, contact_id, company_id on public.deals
  for each row execute function private.write_deal_words();
create policy "members add deals to their brands" on public.deals for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members change the deals of their brands" on public.deals for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members delete deals of their brands" on public.deals for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members see the deals of their brands" on public.deals for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every deal" on public.deals for all to service_role
  using (true);

-- The history of a deal: written by trigger, never changed. No foreign keys to deals and stages, so that it outlives both:
-- a restored deal has its history again.
create table public.deal_stage_changes (
  brand_id uuid not null,
  id bigint not null generated always as identity,
  deal_id uuid not null,
  from_stage_id uuid,
  to_stage_id uuid not null,
  changed_by uuid,
  changed_at timestamp with time zone not null default now(),
  constraint deal_stage_changes_pkey primary key (brand_id, id),
  constraint deal_stage_changes_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table public.deal_stage_changes enable row level security;
grant select on public.deal_stage_changes to authenticated;
grant delete, insert, select, update on public.deal_stage_changes to service_role;
create index deal_stage_changes_of_deal_idx on public.deal_stage_changes using btree (brand_id, deal_id, changed_at);
create policy "members see the history of their brands' deals" on public.deal_stage_changes for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every stage change" on public.deal_stage_changes for all to service_role
  using (true);

-- A deal is closed from the moment it enters a stage that is won or lost, or from the day that a person says. `stage_since` says when it
-- came into its stage.
create function private.tidy_deal() returns trigger; -- plpgsql volatile security definer; body in 20270117000100_exact_closing_days.sql

create function private.note_stage_change() returns trigger; -- plpgsql volatile security definer; body in 20261207000000_writes_cost_less.sql

-- A stage that becomes won or lost closes its deals; one that becomes open opens them again.
create function private.close_deals_of_stage() returns trigger; -- plpgsql volatile security definer

-- A deal with a name and a stage (default: the first one of the first pipeline), the rest by default. It belongs to the caller. Returns its id.
create function public.quick_create_deal(p_brand_id uuid, p_name text, p_stage_id uuid, p_id uuid default null::uuid) returns uuid; -- plpgsql volatile security definer for authenticated, service_role; body in 20261214000000_pipelines.sql

-- ==== 20261122000009_tasks.sql ====

create table public.tasks (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  title text collate "und-x-icu" not null,
  due_at timestamp with time zone,
  priority text not null default 'normal'::text,
  status text not null default 'open'::text,
  contact_id uuid,
  deal_id uuid,
  assignee_id uuid,
  completed_at timestamp with time zone,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  -- How a task comes again and by whose clock, as one value: 'daily', 'workdays', 'weekly 1' (Monday) to 'weekly 7', 'monthly 1' to
  -- 'monthly 31', and an IANA time zone: 'monthly 31 Europe/London'. The day is that of the series: a task that is put off keeps it.
  repeats text,
  constraint tasks_pkey primary key (brand_id, id),
  constraint tasks_brand_id_assignee_id_fkey foreign key (brand_id, assignee_id) references public.memberships(brand_id, user_id) on delete set null (assignee_id),
  constraint tasks_brand_id_contact_id_fkey foreign key (brand_id, contact_id) references public.contacts(brand_id, id) on delete set null (contact_id),
  constraint tasks_brand_id_deal_id_fkey foreign key (brand_id, deal_id) references public.deals(brand_id, id) on delete set null (deal_id),
  constraint tasks_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint tasks_due_at_check check (((due_at >= '0001-01-02 00:00:00+00'::timestamp with time zone) and (due_at < '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint tasks_priority_check check ((priority = any (array['low'::text, 'normal'::text, 'high'::text, 'urgent'::text]))),
  constraint tasks_repeats_check check (((length(repeats) <= 80) and (repeats ~ '^(daily|workdays|weekly [1-7]|monthly ([1-9]|[12][0-9]|3[01])) (UTC|[A-Za-z_]+/[A-Za-z0-9_+/-]+)$'::text))),
  constraint tasks_status_check check ((status = any (array['open'::text, 'done'::text]))),
  constraint tasks_title_check check (((title <> ''::text) and (length(title) <= 200)))
);
alter table public.tasks enable row level security;
alter publication supabase_realtime add table public.tasks;
grant delete, insert (brand_id, id, title, due_at, priority, status, contact_id, deal_id, assignee_id, repeats), select, update (title, due_at, priority, status, contact_id, deal_id, assignee_id, repeats) on public.tasks to authenticated;
grant delete, insert, select, update on public.tasks to service_role;
create index tasks_by_assignee_idx on public.tasks using btree (brand_id, assignee_id) where (assignee_id is not null);
create index tasks_by_contact_idx on public.tasks using btree (brand_id, contact_id) where (contact_id is not null);
create index tasks_by_deal_idx on public.tasks using btree (brand_id, deal_id) where (deal_id is not null);
create index tasks_by_due_idx on public.tasks using btree (brand_id, due_at, id);
create index tasks_by_rev_idx on public.tasks using btree (brand_id, rev, id);
create index tasks_completed_idx on public.tasks using btree (brand_id, completed_at desc, id) where (status = 'done'::text);
create index tasks_open_idx on public.tasks using btree (brand_id, due_at) where (status = 'open'::text);
create trigger before_continue_series after update of status on public.tasks
  for each row when (((new.status = 'done'::text) and (old.status <> 'done'::text) and (new.repeats is not null) and (not (new.assignee_id is distinct from old.assignee_id)))) execute function private.name_next_task();
create trigger check_key before insert or delete or update on public.tasks
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger check_repeats before insert or update of repeats on public.tasks
  for each row when ((new.repeats is not null)) execute function private.check_repeats();
create trigger clear_tombstone after insert on public.tasks referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger continue_series after update of status on public.tasks
  for each row when (((new.status <> old.status) and (new.repeats is not null))) execute function private.continue_series();
create trigger note_arrived after insert on public.tasks referencing new table as changed
  for each statement execute function private.note_task_count();
create trigger note_field_changes after update of status on public.tasks
  for each row when ((old.status is distinct from new.status)) execute function private.note_field_changes('status');
create trigger note_gone after delete on public.tasks referencing old table as changed
  for each statement execute function private.note_task_count();
create trigger note_other_task after update of brand_id, status, assignee_id on public.tasks
  for each row when (((old.status <> new.status) or (old.assignee_id is distinct from new.assignee_id) or (old.brand_id <> new.brand_id))) execute function private.note_other_task();
create trigger prune before insert or delete or update on public.tasks
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.tasks
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger set_first_reminder after insert on public.tasks
  for each row when (((new.due_at is not null) and (new.status = 'open'::text))) execute function private.set_reminder();
create trigger set_reminder after update of due_at, status, assignee_id on public.tasks
  for each row when ((((new.due_at is distinct from old.due_at) or (new.status is distinct from old.status)) or (new.assignee_id is distinct from old.assignee_id))) execute function private.set_reminder();
create trigger stamp before insert or update on public.tasks
  for each row execute function private.stamp();
create trigger tell_assignee after update of assignee_id on public.tasks
  for each row when ((new.assignee_id is distinct from old.assignee_id)) execute function private.tell_assignee('assignee_id');
create trigger tell_first_assignee after insert on public.tasks
  for each row when (((new.assignee_id is distinct from new.created_by) and (new.assignee_id is not null) and (current_setting('private.next_task'::text, true) is distinct from (new.id)::text))) execute function private.tell_assignee('assignee_id');
create trigger then_read_reminder after update of due_at, status, assignee_id on public.tasks
  for each row when (((old.status = 'open'::text) and (old.due_at < (now() + '2 days'::interval)) and (((new.due_at is distinct from old.due_at) or (new.status is distinct from old.status)) or (new.assignee_id is distinct from old.assignee_id)))) execute function private.read_reminder();
create trigger tidy before insert or update on public.tasks
  for each row execute function private.tidy_task();
create trigger write_tombstone before delete on public.tasks
  for each row execute function private.write_tombstone('id');
create trigger write_words after insert or update of title on public.tasks
  for each row execute function private.write_task_words();
create policy "members add tasks to their brands" on public.tasks for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members change the tasks of their brands" on public.tasks for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members delete tasks of their brands" on public.tasks for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members see the tasks of their brands" on public.tasks for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every task" on public.tasks for all to service_role
  using (true);

create function private.tidy_task() returns trigger; -- plpgsql volatile

-- ==== 20261122000010_restore.sql ====

-- Restores deleted records of one table: the row with its id and its links in both directions, where the other row still exists
-- and has got no other link meanwhile. The row keeps its maker. Answers the ids that were restored. An id that was never
-- deleted, was deleted more than 30 days ago, or whose e-mail is taken, is left out. Stages are restored by admins.
create function public.restore_records(p_brand_id uuid, p_table text, p_ids uuid[]) returns jsonb; -- plpgsql volatile security definer for authenticated, service_role; body in 20261211000000_notes.sql

-- The row as it was, without links to rows that are gone. A deal whose stage is gone gets another one. Where the other
-- row has a tombstone, the link is added to that tombstone, so that restoring the other row restores the link.
create function private.without_lost_links(p_tombstone private.tombstones) returns jsonb; -- plpgsql volatile security definer; body in 20261214000100_restored_into_its_pipeline.sql

-- As before, and says while it links again that it does.
create function private.restore_links(p_tombstone private.tombstones) returns void; -- plpgsql volatile security definer; body in 20261211000100_field_history.sql

-- Answers {"by": user id or null, "at": time} of a deleted record for 90 days, else null: what a person is told whose edit
-- came too late.
create function public.record_deletion(p_brand_id uuid, p_table text, p_id uuid) returns jsonb; -- plpgsql stable security definer for authenticated, service_role

-- ==== 20261122000011_pull.sql ====

-- Answers { epoch, cursor, full, complete, rows: { table: [rows] }, tombstones: [{ table, id }], counts: { table: n } }: a page of
-- at most p_limit rows and 8 MB.
-- p_cursor: null starts from the beginning; 'now' answers a cursor from here on and no rows; else the cursor of the last page.
-- `full`: the page belongs to a pull from the beginning, asked for or forced (another epoch, a cursor older than the tombstones).
-- When it is complete, rows that it did not answer no longer exist. A row may be answered twice, in the same or a later
-- version; none is left out. Counts come with the first page, and with the last page of a pull that answered rows.
-- Raises NOT_AUTHORIZED to everybody who is no member: an empty answer always means that nothing is new.
create function public.pull(p_brand_id uuid, p_cursor text default null::text, p_tables text[] default null::text[], p_limit integer default 1000) returns json; -- plpgsql volatile security definer for authenticated, service_role

-- A cursor is text of one of these kinds, its parts separated by '~':
--   epoch~c~since                              everything before `since` was answered
--   epoch~f~horizon~table~key                  within a pull from the beginning, after this key of this table
--   epoch~i~horizon~since~table~rev~key        within a pull of changes, after this rev and key of this table
--                                              ('' is the tombstones, which carry their table behind the key)
-- The horizon is the rev of the oldest transaction that was still running when the first page was made. What is older was visible
-- then; what is newer comes with the next pull, which starts at the horizon.
-- `stable`: all its statements read the one snapshot of the statement that calls it.
create function private.pull_page(p_brand_id uuid, p_cursor text, p_tables text[], p_limit integer) returns json; -- plpgsql stable security definer; body in 20270107000000_tombstones_with_versions.sql

-- How many rows a brand has in each of these tables.
create function private.row_counts(p_brand_id uuid, p_tables text[]) returns json; -- plpgsql stable security definer; body in 20261211000000_notes.sql

-- ==== 20261122000012_figures.sql ====

-- The board for a device that does not have all deals yet: the pipelines, count and total of every stage, the first cards of the stages of
-- one pipeline (default: the first one), and the contacts and companies of those cards. A pipeline with very many stages gets fewer cards of each.
-- p_owner_id: one owner's deals.
create function public.board(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null::uuid, p_pipeline_id uuid default null::uuid) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20261214000000_pipelines.sql

create function private.board_page(p_brand_id uuid, p_cards integer, p_owner_id uuid, p_pipeline_id uuid) returns json; -- plpgsql stable security definer; body in 20261214000000_pipelines.sql

-- The overview. Active deals and the pipeline are deals whose stage is neither won nor lost. 'This week' is the last 7 days,
-- 'due this week' the next 7. Months and days are those of the time zone; an unknown one counts as UTC.
create function public.dashboard(p_brand_id uuid, p_time_zone text default 'UTC'::text) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20270103000100_due_conditions.sql

-- ==== 20261122000013_search.sql ====

-- Functions in SQL with a `set` are planned at each call; without it this one is inlined.
create function private.page_size(p_limit integer) returns integer; -- sql immutable; body in 20270103000300_lists_and_searches_at_less_cost.sql

create function private.assert_sort(p_sort text, p_known text[]) returns void; -- plpgsql immutable

-- The calls of earlier clients. Each answers { total, rows, … } with the records that the rows name.
create function public.search_contacts(p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0, p_owner_id uuid default null::uuid, p_sort text default 'newest'::text) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20261127000000_search_words.sql

create function public.search_companies(p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0, p_owner_id uuid default null::uuid, p_sort text default 'newest'::text) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20261127000000_search_words.sql

-- A deal is also found by the name of its company and the name of its contact.
create function public.search_deals(p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0, p_owner_id uuid default null::uuid) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20261127000000_search_words.sql

-- ==== 20261122000014_import.sql ====

-- One row of a chunk, parsed and checked.
create type private.import_row as (
  place integer,
  number integer,
  email text,
  email_norm text,
  first_name text,
  last_name text,
  company text,
  -- Compared with lower(companies.name): in the same collation, so that its index is used.
  company_norm text collate "und-x-icu",
  problem text,
  is_repeated boolean,
  phone text,
  title text,
  id uuid,
  company_id uuid,
  is_known boolean,
  differs boolean,
  has_id boolean
);

-- Rows [{ row, id, email, phone, first_name, last_name, title, company, tags, custom }], at most 1,000, in the order of the file; `tags`
-- are names with commas or semicolons between them, `custom` is { id or key of a field: value }. Answers for each one [{ row, status: created |
-- updated | unchanged | error, id, reason, left_out_tags, left_out_values: [{ field, reason }] }]. Each needs an e-mail address or a phone number. A
-- known contact is found and completed: by the address; if nobody has it, by `id`, if this contact has no address, and gets it; without an
-- address by `id`. A phone number finds nobody. A new contact remembers the import that made it; p_file is the name of its
-- file. A chunk may be sent again: nothing is doubled.
create function public.import_contacts(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_file text default null::text) returns jsonb; -- plpgsql volatile security definer for authenticated, service_role; body in 20270121000000_imports_by_id.sql

-- All rows with a few statements. A second row for the same contact or with the same e-mail depends on the first, and other requests may have been
-- faster with an address: these rows are saved one after the other, after the rest. New contacts are inserted in the order of their
-- addresses, so that two chunks with the same new people wait for each other one way only.
create function private.import_as_set(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb; -- plpgsql volatile security definer; body in 20270121000000_imports_by_id.sql

create function private.import_row_by_row(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb; -- plpgsql volatile security definer; body in 20270121000000_imports_by_id.sql

-- The rows as they are stored. `id`: of a row with an address, the sent one, unchecked; of a row without one, that of the brand's contact with the
-- sent id, else an id computed from the row: the same row of the same file has the same id, so that a chunk that is sent again, or a
-- file that is continued, adds nobody twice.
create function private.parse_import(p_brand_id uuid, p_rows jsonb) returns table(place integer, data jsonb, email text, email_norm text, first_name text, last_name text, company text, phone text, title text, id uuid, problem text); -- sql stable; body in 20270121000000_imports_by_id.sql

-- ==== 20261122000015_mail.sql ====

create table private.mail_outbox (
  id bigint not null generated always as identity,
  -- One of the server's own templates, or `message`: then `data` holds the words (subject, heading, lines, button, note) and the link.
  template text not null,
  recipient text not null,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  due_at timestamp with time zone not null default now(),
  -- Set when no further attempt is made; `problem` is the mail server's reason.
  given_up_at timestamp with time zone,
  problem text,
  constraint mail_outbox_pkey primary key (id)
);
create index mail_outbox_by_due_idx on private.mail_outbox using btree (due_at) where (given_up_at is null);
create index mail_outbox_by_invitation_idx on private.mail_outbox using btree (((data #>> '{link,id}'::text[]))) where (template = 'message'::text);

-- What the server reported at its start. A backend that reports nothing (Supabase) has no row, and offers none of it.
create table private.server_settings (
  only_row boolean not null default true,
  settings jsonb not null,
  constraint server_settings_pkey primary key (only_row),
  constraint server_settings_only_row_check check (only_row)
);

-- The bundled server calls this at its start: {"mail": whether it has a mail server, "sign_up": "open" | "invited" | "closed",
-- "proves_addresses": whether it confirms e-mail addresses}.
create function private.on_server_settings(p_settings jsonb) returns void; -- plpgsql volatile security definer

create function private.server_setting(p_name text) returns text; -- plpgsql stable security definer

-- ==== 20261122000016_invitations.sql ====

create table public.invitations (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null default 'member'::text,
  invited_by uuid,
  created_at timestamp with time zone not null default now(),
  -- When the last mail was written, also where it only lies in the outbox folder.
  sent_at timestamp with time zone default now(),
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  constraint invitations_pkey primary key (brand_id, id),
  constraint invitations_brand_id_email_key unique (brand_id, email),
  constraint invitations_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint invitations_email_check check (((email = lower(email)) and ((length(email) >= 3) and (length(email) <= 255)) and (email ~ '^[^\s@]+@[^\s@]+$'::text))),
  constraint invitations_role_check check ((role = any (array['member'::text, 'admin'::text, 'owner'::text])))
);
alter table public.invitations enable row level security;
grant select on public.invitations to authenticated;
grant delete, insert, select, update on public.invitations to service_role;
create index invitations_by_email_idx on public.invitations using btree (email);
create index invitations_by_id_idx on public.invitations using btree (id);
create trigger check_address before insert or update of email on public.invitations
  for each row execute function private.check_invited_address();
create trigger end_links after delete on public.invitations
  for each row execute function private.end_invitation_links();
create trigger record_invitation after insert or delete on public.invitations
  for each row execute function private.record_invitation();
create trigger record_renewed after update on public.invitations
  for each row when ((new.sent_at is distinct from old.sent_at)) execute function private.record_renewed_invitation();
create trigger unsend after delete on public.invitations
  for each row execute function private.unsend_invitation();
create policy "admins see who is invited" on public.invitations for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "the secret key sees every invitation" on public.invitations for all to service_role
  using (true);

-- Who sent mail to a stranger, and when. The name of a brand is free text: this limits its use for spam.
create table private.invitation_mails (
  user_id uuid not null,
  at timestamp with time zone not null default now()
);
create index invitation_mails_by_user_idx on private.invitation_mails using btree (user_id, at);

-- On auth.users:
create constraint trigger accept_invitations_of_confirmed_user after update of email, email_confirmed_at on auth.users deferrable initially deferred
  for each row when (((new.email_confirmed_at is not null) and ((old.email_confirmed_at is null) or ((old.email)::text is distinct from (new.email)::text)))) execute function private.accept_when_confirmed();
create constraint trigger accept_invitations_of_new_user after insert on auth.users deferrable initially deferred
  for each row when ((new.email_confirmed_at is not null)) execute function private.accept_when_confirmed();

create function private.invitations_on() returns boolean; -- plpgsql stable security definer

-- Whether a confirmed address proves that somebody reads its mail. A backend that reports nothing is Supabase, whose sign-up
-- confirms addresses by default: yes. The bundled server always reports; without this setting: no.
create function private.proves_addresses() returns boolean; -- plpgsql stable security definer

-- Whether the inviter could still offer that role. Without an inviter the secret key invited.
create function private.is_still_offered(p_invitation public.invitations) returns boolean; -- plpgsql stable security definer

-- A name as a mail may show it: short, on one line, and without anything that a mail program turns into a link.
create function private.text_for_mail(p_text text) returns text; -- sql immutable

-- Puts the mail of an invitation into the outbox. Raises PT429 after 30 mails of the caller within an hour.
create function private.mail_invitation(p_invitation public.invitations) returns void; -- plpgsql volatile security definer

-- Invites an address that has no account, by mail; returns the id of the invitation. Where the address has an account, that person
-- becomes a member and the answer is null. Inviting again renews role, date and mail. Raises NOT_AUTHORIZED, INVITATIONS_OFF,
-- ALREADY_MEMBER, and PT429.
create function public.invite_member(p_brand_id uuid, p_email text, p_role text default 'member'::text) returns uuid; -- plpgsql volatile security definer for authenticated, service_role; body in 20261128000000_invitation_links.sql

-- The pending invitation, locked, where the caller may change it. Raises NOT_AUTHORIZED and NOT_FOUND.
create function private.pending_invitation(p_brand_id uuid, p_id uuid) returns public.invitations; -- plpgsql volatile security definer

-- Sends the mail again; the seven days start anew. Raises NOT_AUTHORIZED, INVITATIONS_OFF, NOT_FOUND, and PT429 within a minute.
create function public.resend_invitation(p_brand_id uuid, p_id uuid) returns void; -- plpgsql volatile security definer for authenticated, service_role

-- Withdraws an invitation: its link stops working. Raises NOT_AUTHORIZED, NOT_FOUND.
create function public.withdraw_invitation(p_brand_id uuid, p_id uuid) returns void; -- plpgsql volatile security definer for authenticated, service_role

-- An invited address has no invisible character. A trigger and not a constraint: stored addresses stay, and can be mailed again.
create function private.check_invited_address() returns trigger; -- plpgsql volatile security definer

-- Makes a user a member of every brand that has invited their proved address; answers the brands that are new to them. They have
-- not opened these brands yet.
create function private.accept_invitations_of(p_user_id uuid) returns setof uuid; -- plpgsql volatile security definer

-- The brands that the caller has joined by this call: for the sign-in of somebody who had an account before the invitation.
create function public.accept_invitations() returns uuid[]; -- plpgsql volatile security definer for authenticated, service_role

-- After an address was confirmed: at the end of the transaction, so that a link that is opened in it comes first.
create function private.accept_when_confirmed() returns trigger; -- plpgsql volatile security definer

-- The bundled server calls this when a user opens the link of an invitation: makes the account with the invited address a
-- member, who has opened the brand by that, and answers the brand. Null where the invitation is gone or is for another address.
create function private.take_invite(p_id uuid, p_user_id uuid) returns uuid; -- plpgsql volatile security definer

-- The bundled server asks whether this address may sign up where only the invited may. Where nothing proves addresses, only the
-- link makes the account: the form would give it to whoever types the address first.
create function private.may_sign_up(p_email text) returns boolean; -- plpgsql stable security definer

-- The bundled server asks which address the link of this invitation proves; null where the invitation is gone.
create function private.address_of_invite(p_id uuid) returns text; -- plpgsql stable security definer

-- Deletes the invitations that their inviter may no longer send: they left, were removed, lost the role, or have no account.
create function private.end_invitations() returns trigger; -- plpgsql volatile security definer

-- Mail that waits is deleted with its invitation. A mail that is being sent at this moment goes out; its link does not work.
create function private.unsend_invitation() returns trigger; -- plpgsql volatile security definer

-- What this backend offers beyond Supabase's own calls: {"mail", "invitations", "invitation_links", "sign_up", "calendar"}. Screens hide the rest.
create function public.capabilities() returns jsonb; -- plpgsql stable security definer for authenticated, service_role; body in 20261219000100_calendar_feed.sql

-- ==== 20261122000017_second_factor.sql ====

-- Sets or clears the requirement. Only owners with two proved factors: nobody locks themselves out. (Whoever loses their
-- last factor later enrols a new one, which the password allows then.) Raises NOT_AUTHORIZED, SECOND_FACTOR_REQUIRED.
create function public.require_second_factor(p_brand_id uuid, p_required boolean) returns void; -- plpgsql volatile security definer for authenticated, service_role

-- The caller's brands that are closed to this session, so that a screen can say why. `has_factor`: there is a factor to prove;
-- without one, it has to be enrolled first.
create function public.brands_behind_second_factor() returns table(id uuid, name text, has_factor boolean); -- plpgsql stable security definer for authenticated, service_role

-- ==== 20261122000018_audit_log.sql ====

create table private.brand_events (
  id bigint not null generated always as identity,
  brand_id uuid not null,
  at timestamp with time zone not null default clock_timestamp(),
  event text not null,
  user_id uuid,
  detail jsonb not null default '{}'::jsonb,
  constraint brand_events_pkey primary key (id)
);
create index brand_events_by_age_idx on private.brand_events using btree (at);
create index brand_events_by_brand_idx on private.brand_events using btree (brand_id, at);
create trigger keep before delete or update on private.brand_events
  for each row execute function private.keep_events();
create trigger keep_all before truncate on private.brand_events
  for each statement execute function private.keep_events();
create trigger name_joined_person before insert on private.brand_events
  for each row when (((new.event = 'member_joined'::text) and (new.user_id is null))) execute function private.name_joined_person();
create trigger skip_repeated_export before insert on private.brand_events
  for each row when ((new.event = 'data_exported'::text)) execute function private.skip_repeated_export();

-- Only lines older than a year may be deleted.
create function private.keep_events() returns trigger; -- plpgsql volatile

create function private.record_event(p_brand_id uuid, p_event text, p_detail jsonb) returns void; -- plpgsql volatile security definer

create function private.record_membership() returns trigger; -- plpgsql volatile security definer

create function private.record_brand() returns trigger; -- plpgsql volatile security definer

-- An accepted invitation is deleted too; then the line of the membership tells about it. One that was not mailed has the lines of
-- its links.
create function private.record_invitation() returns trigger; -- plpgsql volatile security definer; body in 20261128000000_invitation_links.sql

-- The name of an action of Supabase's log in this log; null: not shown.
create function private.event_of_action(p_action text) returns text; -- sql immutable

create function private.inet_or_null(p_text text) returns inet; -- plpgsql immutable

-- An address cut so far that it only helps to recognise a place: 203.0.113.x, 2001:db8:7::/48.
create function private.coarse_address(p_address inet) returns text; -- sql immutable

-- A page of the log, newest first: at most 200 lines. `p_before` is the id of the last line of the page before (an id is the
-- time in microseconds). Of a member's account it shows what sessions did after they opened the brand; a line without
-- a session, such as a failed sign-in, belongs to no brand. Coarse addresses are shown only to the person themselves, and of
-- the traits of an entry only those named here. Lines from before the brand was founded belong to an earlier brand with this id.
-- `detail` has no name of a deleted account. Raises NOT_AUTHORIZED to everybody but owners.
create function public.audit_log(p_brand_id uuid, p_before bigint default null::bigint, p_limit integer default 50) returns table(id bigint, at timestamp with time zone, event text, user_id uuid, who text, detail jsonb); -- plpgsql stable security definer for authenticated, service_role; body in 20270122000200_audit_log_of_those_who_joined.sql

-- ==== 20261122000019_account.sql ====

-- The caller's sessions, this one first, then the newest. `last_seen_at` is as exact as tokens are renewed: an hour.
create function public.my_sessions() returns table(id uuid, created_at timestamp with time zone, last_seen_at timestamp with time zone, user_agent text, address text, aal text, is_current boolean); -- plpgsql stable security definer for authenticated

-- Ends one session of the caller at once: its next request sees nothing, and the calendar address that it made stops working. Raises NOT_FOUND for a
-- session that is not theirs.
create function public.end_session(p_id uuid) returns void; -- plpgsql volatile security definer for authenticated; body in 20261219000100_calendar_feed.sql

-- Ends all sessions but this one, and the calendar address; answers how many.
create function public.end_other_sessions() returns integer; -- plpgsql volatile security definer for authenticated; body in 20261219000100_calendar_feed.sql

-- The caller's records, starting at a table and after the key of a row: at most 2,000 and 8 MB. `next`: where to go on, or null.
create function private.my_records(p_caller uuid, p_table text, p_after text, out records json, out next json) returns record; -- plpgsql stable security definer

-- What this installation stores about the caller: the account, its factors and sessions, and in the brands that are open to this
-- session the membership and the records that they own or made. Where `next` is not null there are more records: called again
-- with its `table` and `after`, it answers { records, next } alone.
create function public.export_my_data(p_table text default null::text, p_after text default null::text) returns json; -- plpgsql volatile security definer for authenticated; body in 20261221000200_chosen_pushes.sql

-- Whether the caller's token was issued with one of these kinds of proof within the last five minutes.
create function private.proved_lately(p_methods text[]) returns boolean; -- plpgsql stable security definer

-- Deletes the caller's account, sessions and memberships; records stay with their brands, without an owner. The password has to
-- be proved just before (a new sign-in), and the second factor where there is one: else REAUTHENTICATION_NEEDED, which the
-- screen answers with one dialog for both. Raises LAST_OWNER with the brands, as JSON in the detail, that must be handed
-- over or deleted first.
create function public.delete_my_account() returns void; -- plpgsql volatile security definer for authenticated

-- ==== 20261122000020_live.sql ====

-- On realtime.messages:
create policy "members hear their brand's topic" on realtime.messages for select to authenticated
  using ((( select realtime.topic() as topic) = any (array( select ('brand:'::text || b.b) from private.my_brand_ids() b(b)))));

-- The tables with live events, and the column that holds the scope of a row: the brand, or the inbox of one person.
create function private.live_scopes() returns table(relation regclass, scope_column text); -- plpgsql stable security definer; body in 20261215000000_notifications.sql

-- Which users are members of these brands at all: the server asks this first, so that subscriptions of strangers cost nothing.
create function private.live_members(p_scopes uuid[]) returns table(scope uuid, member uuid); -- plpgsql stable security definer; body in 20261215000000_notifications.sql

-- A caller receives their own inboxes, those of brands that are open to this session.
create function private.may_hear(p_claims jsonb, p_scopes uuid[]) returns table(caller integer, scope uuid); -- plpgsql volatile security definer; body in 20261215000000_notifications.sql

-- ==== 20261125000000_queries.sql ====

-- The keys of an order, first to last; the id comes after all of them. Empty values come last in both directions.
create table private.list_orders (
  table_name text not null,
  order_name text not null,
  place smallint not null,
  -- Of a row called r; $1 is the brand.
  expression text not null,
  type text not null,
  descending boolean not null default false,
  -- Never null: a page can begin by an index condition.
  is_required boolean not null default false,
  -- A table o that the first key of an order comes from, joined to r, and the condition of r under which that key is empty.
  joined text,
  empty text,
  constraint list_orders_pkey primary key (table_name, order_name, place)
);
alter table private.list_orders enable row level security;

-- What a search looks at: a condition on a row called r. $1 is the brand, $2 the pattern, $3 the companies and $4 the contacts
-- whose name matches it.
create table private.list_searches (
  table_name text not null,
  source text not null,
  constraint list_searches_pkey primary key (table_name)
);
alter table private.list_searches enable row level security;

-- A condition's value as SQL of that type: a text, number, boolean; {"now": seconds}, a moment relative to now; or, for `due_at` of
-- tasks, {"now": seconds, "day": date} or {"at": moment, "day": date}: what is due on a day lies before it if that day is before `day`.
create function private.query_value(p_value jsonb, p_type text) returns text; -- plpgsql stable; body in 20270103000100_due_conditions.sql

-- The condition of one column: a value, a list of values, an object of gt, gte, lt, lte and "not": null; of a column with several
-- values { "has": values }, any of them.
create function private.query_condition(p_column text, p_type text, p_condition jsonb) returns text; -- plpgsql stable; body in 20270103000100_due_conditions.sql

-- `where` of a query, and p_search of search_filters, as SQL over a row called r; $1 is the brand. A key custom.<id> is a field.
create function private.query_filter(p_table text, p_query jsonb, p_search text) returns text; -- plpgsql stable security definer; body in 20261213000000_custom_fields.sql

-- Reads one page of a query. p_ids: $3 of the filter. With p_budget the page is of what a search (source and conditions of private.search) finds among
-- the first so many rows of the filter.
create function private.query_page(p_table text, p_query jsonb, p_filter text, p_brand_id uuid, p_ids uuid[] default null::uuid[], p_source text default null::text, p_conditions text default null::text, p_budget integer default null::integer) returns private.page; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- The exact number of rows of a query, and the sums of its deals. p_ids: $3 of the filter.
create function private.query_figures(p_table text, p_filter text, p_brand_id uuid, p_sums boolean, p_ids uuid[] default null::uuid[]) returns jsonb; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- Returns the records of other tables that these rows name, by table, and the bytes of all. p_rows: { table: rows }.
create function private.named_rows(p_brand_id uuid, p_rows jsonb, out named jsonb, out bytes bigint) returns record; -- plpgsql stable security definer; body in 20270108000000_named_records_at_less_cost.sql

-- Answers up to 50 queries of a brand from one snapshot. A query is
--   { table, where, search, order, after, skip, limit, rows, count, most, sums }
-- where: columns with a value, a list of values, or { gt, gte, lt, lte, "not": null }; { "now": seconds } is relative to now.
-- order: a name of private.list_orders. after: the `end` of another page of the same query: what follows it. skip: and then so
-- many rows on. rows, count, sums: what to answer (rows: unless false). most: count no further than this, or less far where that would
-- take long, and say whether there are `more`.
-- The answer: { answers: [{ rows, end, total, more, sums: [{ currency, count, amount }] }], named: { table: rows } }, the answers in
-- the order of the queries, and in `named` the rows of other tables that the rows name.
create function public.read_queries(p_brand_id uuid, p_queries jsonb) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20270108000000_named_records_at_less_cost.sql

-- ==== 20261126000000_contacts_without_address.sql ====

-- What is wrong with a contact without an address, or null. Texts are trimmed. The names have the rules of contact_problem.
create function private.phone_contact_problem(p_phone text, p_first text, p_last text, p_title text, p_company text) returns text; -- sql immutable

-- Adds a contact without an address; returns its id. It belongs to the caller. `p_id` is its id. Without a phone number
-- 'Email is required'. The company: as in upsert_contact.
create function public.add_contact_by_phone(p_brand_id uuid, p_phone text, p_first text default null::text, p_last text default null::text, p_title text default null::text, p_company_name text default null::text, p_id uuid default null::uuid) returns uuid; -- plpgsql volatile security definer for authenticated, service_role

-- ==== 20261127000000_search_words.sql ====

create table private.contacts_words (
  brand_id uuid not null,
  id uuid not null,
  words text collate "C" not null,
  created_at timestamp with time zone not null,
  first_name text,
  last_name text,
  constraint contacts_words_pkey primary key (brand_id, id),
  constraint contacts_words_brand_id_id_fkey foreign key (brand_id, id) references public.contacts(brand_id, id) on delete cascade
);
alter table private.contacts_words enable row level security;
create index contacts_words_idx on private.contacts_words using gin (brand_id, words extensions.gin_trgm_ops, string_to_array(translate(words, ' abcdefghiklmnoprstu0123456789.@-'::text, ''::text), null::text));
create index contacts_words_newest_idx on private.contacts_words using btree (brand_id, created_at desc, id);

create table private.companies_words (
  brand_id uuid not null,
  id uuid not null,
  words text collate "C" not null,
  created_at timestamp with time zone not null,
  name text,
  constraint companies_words_pkey primary key (brand_id, id),
  constraint companies_words_brand_id_id_fkey foreign key (brand_id, id) references public.companies(brand_id, id) on delete cascade
);
alter table private.companies_words enable row level security;
create index companies_words_idx on private.companies_words using gin (brand_id, words extensions.gin_trgm_ops, string_to_array(translate(words, ' abcdefghiklmnoprstu0123456789.@-'::text, ''::text), null::text));
create index companies_words_newest_idx on private.companies_words using btree (brand_id, created_at desc, id);

create table private.deals_words (
  brand_id uuid not null,
  id uuid not null,
  words text collate "C" not null,
  created_at timestamp with time zone not null,
  name text,
  constraint deals_words_pkey primary key (brand_id, id),
  constraint deals_words_brand_id_id_fkey foreign key (brand_id, id) references public.deals(brand_id, id) on delete cascade
);
alter table private.deals_words enable row level security;
create index deals_words_idx on private.deals_words using gin (brand_id, words extensions.gin_trgm_ops, string_to_array(translate(words, ' abcdefghiklmnoprstu0123456789.@-'::text, ''::text), null::text));
create index deals_words_newest_idx on private.deals_words using btree (brand_id, created_at desc, id);

-- Small letters without accents, with the apostrophe of keyboards. The argument is in small letters. Without `set`, so that this function and
-- spelled_out are inlined into folded_forms, which has a search path: before version 18, PostgreSQL plans a function in SQL that is not inlined
-- again at every call.
create function private.without_accents(p_text text) returns text; -- sql immutable for authenticated, service_role; body in 20270128000300_typographic_apostrophes.sql

-- Accents that some people write as a second letter: ü as ue.
create function private.spelled_out(p_text text) returns text; -- sql immutable; body in 20261207000000_writes_cost_less.sql

-- The forms in which a text is found: without accents, and with them spelled out where that is another text.
create function private.folded_forms(p_text text) returns text[]; -- plpgsql immutable

-- One condition for each of the first eight words of a typed text, on the column w.words. Phone numbers are found by their
-- digits, with or without the zeros before them, and international ones also without the country code. A group of digits that follows
-- another one keeps its zeros: they are in the middle of a number. Words of one or two letters have no trigram. p_by_letters: they are
-- looked for by the index of letters, which is of use where few records have them. It has those that are rare in most languages, and of
-- other scripts.
create function private.search_conditions(p_search text, p_by_letters boolean default false) returns text; -- plpgsql immutable; body in 20270119000000_zeros_in_the_middle_of_numbers.sql

create function private.contact_words(p_contact public.contacts) returns text; -- plpgsql stable; body in 20261207000000_writes_cost_less.sql

create function private.company_words(p_company public.companies) returns text; -- plpgsql stable; body in 20261207000000_writes_cost_less.sql

create function private.deal_words(p_deal public.deals) returns text; -- plpgsql stable; body in 20261207000000_writes_cost_less.sql

create function private.task_words(p_task public.tasks) returns text; -- sql stable

-- As before, and the words of notes.
create function private.write_all_words() returns void; -- plpgsql volatile; body in 20270103000200_words_newest_first.sql

create function private.write_contact_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

create function private.write_company_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

create function private.write_deal_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

-- A new name waits for transactions that link to the row: they have read the old one.
create function private.lock_against_links() returns trigger; -- plpgsql volatile security definer

-- The name of a company is also in the words of its contacts and deals.
create function private.spread_company_name() returns trigger; -- plpgsql volatile security definer

create function private.spread_contact_name() returns trigger; -- plpgsql volatile security definer

-- What a search finds, as SQL over a row called r: for change_matching.
create function private.search_filters(p_table text, p_search text, p_brand_id uuid, out page text, out figures text) returns record; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- One page of a search, and how many rows it has in all: { rows, total }.
create function private.search_page(p_table text, p_brand_id uuid, p_query text, p_limit integer, p_offset integer, p_owner_id uuid, p_sort text, p_sorts text[]) returns jsonb; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- The ids in a column of these rows, each once.
create function private.named_ids(p_rows jsonb, p_column text) returns uuid[]; -- sql immutable

-- ==== 20261128000000_invitation_links.sql ====

create table private.invitation_links (
  token_hash bytea not null,
  brand_id uuid not null,
  invitation_id uuid not null,
  made_by uuid,
  made_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  -- Why the link no longer works: the invitation was accepted, or withdrawn, or a newer link was made. Null: it works.
  ended_as text,
  constraint invitation_links_pkey primary key (token_hash),
  constraint invitation_links_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint invitation_links_ended_as_check check ((ended_as = any (array['used'::text, 'revoked'::text, 'replaced'::text])))
);
create index invitation_links_by_invitation_idx on private.invitation_links using btree (brand_id, invitation_id);
create index invitation_links_by_maker_idx on private.invitation_links using btree (made_by, made_at);

create function private.invitation_links_on() returns boolean; -- plpgsql stable security definer

-- Invites an address that has no account, mailed at `p_sent_at` (null: not mailed); returns the invitation. Where the address has
-- an account, that person becomes a member and the answer is null. Raises NOT_AUTHORIZED, ALREADY_MEMBER, and PT429.
create function private.invite_address(p_brand_id uuid, p_email text, p_role text, p_sent_at timestamp with time zone) returns public.invitations; -- plpgsql volatile security definer

-- Makes a link for an address that has no account, and its invitation where there is none yet; returns the token of the link, which
-- nobody can read again. Where the address has an account, that person becomes a member and the answer is null. An earlier link
-- of the same invitation stops working. Raises NOT_AUTHORIZED, INVITATIONS_OFF, ALREADY_MEMBER, and PT429.
create function public.make_invitation_link(p_brand_id uuid, p_email text, p_role text default 'member'::text) returns text; -- plpgsql volatile security definer for authenticated, service_role

-- Whether a deleted invitation was withdrawn, by a person or because its inviter may no longer invite. Else it was accepted.
create function private.was_withdrawn(p_invitation public.invitations) returns boolean; -- plpgsql stable security definer

create function private.end_invitation_links() returns trigger; -- plpgsql volatile security definer

create function private.link_of_token(p_token text) returns private.invitation_links; -- plpgsql stable security definer

-- The invitation of a link that works; null for every other link.
create function private.invitation_of_link(p_link private.invitation_links) returns public.invitations; -- plpgsql stable security definer

-- Why a link does not work: used, revoked, replaced, expired; unknown where no link has this token.
create function private.why_link_ended(p_link private.invitation_links) returns text; -- plpgsql stable security definer

-- The bundled server asks what a link offers, before the person who opened it has an account: {"state": "open"} with the address,
-- the brand's name, the role, the inviter's name and whether the address has an account, or the reason why it does not work.
create function private.read_invitation_link(p_token text) returns jsonb; -- plpgsql stable security definer

-- The bundled server asks whether the caller, who has this token, may sign up with this address where only the invited may.
create function private.may_sign_up_by_link(p_email text, p_token text) returns boolean; -- plpgsql stable security definer

-- Makes the caller a member of the brand of a link, who has opened the brand by that; answers the brand. A member of the brand gets
-- its id for a link that has ended too: the answer to the first call may have been lost. Raises OTHER_ADDRESS, with the invited
-- address in the detail, LINK_ENDED, with the reason, NOT_AUTHORIZED and SECOND_FACTOR_REQUIRED.
create function public.accept_invitation_link(p_token text) returns uuid; -- plpgsql volatile security definer for authenticated

-- ==== 20261129000000_hand_over.sql ====

-- The tables whose records have an owner or an assignee, with that column.
create function private.owner_columns() returns table(table_name text, column_name text); -- plpgsql stable security definer

-- How many records of each table a member owns or has been assigned: {"deals": 3, "tasks": 2}, without zeros. Raises NOT_AUTHORIZED.
create function public.member_records(p_brand_id uuid, p_user_id uuid) returns jsonb; -- plpgsql stable security definer for authenticated, service_role

-- Ends a membership, the caller's own too, and gives the member's records to `p_to` (null: nobody): both or neither. Rights are those of
-- the policies of memberships: admins remove members and admins, owners everybody, and anyone may leave. Answers the numbers of
-- records that were given, as member_records. Raises NOT_AUTHORIZED, LAST_OWNER, and USER_NOT_FOUND where one of the two is no member.
create function public.remove_member(p_brand_id uuid, p_user_id uuid, p_to uuid default null::uuid) returns jsonb; -- plpgsql volatile security definer for authenticated, service_role

-- ==== 20261130000000_amount_history.sql ====

create table public.amount_changes (
  brand_id uuid not null,
  id bigint not null generated always as identity,
  deal_id uuid not null,
  from_amount numeric not null,
  from_currency text not null,
  to_amount numeric not null,
  to_currency text not null,
  changed_by uuid,
  changed_at timestamp with time zone not null default now(),
  constraint amount_changes_pkey primary key (brand_id, id),
  constraint amount_changes_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table public.amount_changes enable row level security;
grant select on public.amount_changes to authenticated;
grant delete, insert, select, update on public.amount_changes to service_role;
create index amount_changes_of_deal_idx on public.amount_changes using btree (brand_id, deal_id, changed_at);
create policy "members see the amounts that their brands' deals had" on public.amount_changes for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every change of an amount" on public.amount_changes for all to service_role
  using (true);

create function private.note_amount_change() returns trigger; -- plpgsql volatile security definer

-- ==== 20261201000000_import_taken_back.sql ====

-- An import that wrote something. `revs` are those of its chunks: what has one of them was written by the import last.
create table private.imports (
  brand_id uuid not null,
  id uuid not null,
  file_name text,
  -- Contacts that it added, and contacts of before that it changed.
  created integer not null,
  updated integer not null,
  revs bigint[] not null,
  started_at timestamp with time zone not null default now(),
  started_by uuid,
  -- What undo_import has deleted so far, and when it was done.
  deleted_contacts integer not null default 0,
  deleted_companies integer not null default 0,
  undone_at timestamp with time zone,
  -- Contacts that undo_import has given their values back.
  restored_contacts integer not null default 0,
  constraint imports_pkey primary key (brand_id, id),
  constraint imports_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint imports_file_name_check check ((length(file_name) <= 255))
);
alter table private.imports enable row level security;
create index imports_newest_idx on private.imports using btree (brand_id, started_at desc, id);
create trigger note_chunk after insert or update of revs on private.imports
  for each row execute function private.note_chunk();

-- Notes what a chunk has written. Called last, because it locks the line of the import. Forgets, a piece a chunk, the values
-- that imports of long ago have changed: a chunk keeps 1,000 at most.
create function private.note_import(p_brand_id uuid, p_import_id uuid, p_file text, p_answers jsonb) returns void; -- plpgsql volatile security definer; body in 20261205000000_import_values_restored.sql

-- What is wrong with a row, or null. Texts are trimmed.
create function private.import_problem(p_email text, p_phone text, p_first text, p_last text, p_title text, p_company text) returns text; -- sql immutable

-- One row, after the rule of upsert_contact: a missing value keeps what is stored. An imported contact belongs to nobody.
create function private.import_contact_row(p_brand_id uuid, p_row private.import_row, p_import_id uuid, out id uuid, out status text) returns record; -- plpgsql volatile security definer; body in 20270121000000_imports_by_id.sql

-- Whether a contact is as its import left it, and no deal or task names it.
create function private.is_as_imported(p_contact public.contacts, p_revs bigint[]) returns boolean; -- sql stable; body in 20261209000000_imports_undone_in_any_order.sql

-- The latest 20 imports of a brand that wrote something, newest first; or the one with this id, with how many of its contacts
-- undo_import deletes (`removable`) and how many stay (`kept`), how many contacts of before get their values back (`restorable`)
-- and how many do not, because somebody or a later import has changed them since (`changed`), and the companies that go because
-- nobody uses them now (`unused_companies`). `holds_values`: there are contacts of before.
create function public.read_imports(p_brand_id uuid, p_import_id uuid default null::uuid) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20261209000000_imports_undone_in_any_order.sql

-- Deletes what an import has added, and restores what it has changed, at most 500 rows a call: call it until the answer says
-- `done`. Contacts that were changed since stay as they are, and those that a deal or task names are not deleted. Then go the
-- companies that it added, that were not changed and that nobody uses. What stays because a later import has changed it passes to
-- that import, so that both undos in either order leave what was before both. Answers { done, contacts, companies, restored, kept,
-- changed }: what all calls together have deleted and restored, and then, null until it is done, the contacts that it added and
-- that stay, and those of before that somebody or a later import has changed since.
create function public.undo_import(p_brand_id uuid, p_import_id uuid) returns json; -- plpgsql volatile security definer for authenticated, service_role; body in 20270121000000_imports_by_id.sql

-- ==== 20261201000100_change_matching.sql ====

-- Locks the next records of a filter (private.query_filter, with $2 and $3) and answers their ids. Without nested loops, as
-- query_figures: what is searched is compared at once, whatever the planner knows of new rows.
create function private.lock_matching(p_table text, p_filter text, p_brand_id uuid, p_until timestamp with time zone, p_owner uuid, p_limit integer) returns uuid[]; -- plpgsql volatile security definer

-- Changes at most 500 records of a query (p_query: { table, where, search } of read_queries): call it until the answer says `done`.
-- p_change: { "delete": true }, { "owner_id": a member or null }, { "add_tags": ids, "remove_tags": ids }, one or both, or { "custom": values by id or key
-- of a field, null empties it }. p_until: the `until` of the first answer, so that records that are added meanwhile are left alone. Answers
-- { done, count, ids, until }: how many this call has changed, and which. Every member may: each of these records could be changed by itself.
create function public.change_matching(p_brand_id uuid, p_query jsonb, p_change jsonb, p_until timestamp with time zone default null::timestamp with time zone) returns json; -- plpgsql volatile security definer for authenticated, service_role; body in 20270120000000_targets_of_merged_tags.sql

-- ==== 20261202000000_company_figures.sql ====

-- Of companies of the brand [{ id, contacts, deals, open: [{ currency, amount }] }]: `open` sums up the deals of open stages by currency.
create function public.company_figures(p_brand_id uuid, p_company_ids uuid[]) returns json; -- plpgsql stable security definer for authenticated, service_role

-- ==== 20261203000000_phone_numbers_as_typed.sql ====

-- What follows the country code of an international number (ITU-T E.164, codes of one to three digits); the digits themselves where
-- they begin with none.
create function private.national_digits(p_digits text) returns text; -- plpgsql immutable

-- ==== 20261205000000_import_values_restored.sql ====

-- `previous` has the values of the contact before the import, whose revision was `old_rev`; `rev` is the one that the import
-- gave it.
create table private.import_changes (
  brand_id uuid not null,
  import_id uuid not null,
  contact_id uuid not null,
  old_rev bigint not null,
  rev bigint not null,
  previous jsonb not null,
  -- The import that has added the contact is undone: the undo of this one deletes it, unless a deal or task names it.
  goes boolean not null default false,
  constraint import_changes_pkey primary key (brand_id, import_id, contact_id),
  constraint import_changes_brand_id_contact_id_fkey foreign key (brand_id, contact_id) references public.contacts(brand_id, id) on delete cascade
);
alter table private.import_changes enable row level security;
create index import_changes_by_contact_idx on private.import_changes using btree (brand_id, contact_id);

-- What the undo of an import gives back. An import changes no address: `email` is there, and null, if the contact has none.
create function private.import_values(p_contact public.contacts) returns jsonb; -- sql immutable; body in 20270121000000_imports_by_id.sql

-- ==== 20261206000100_former_members.sql ====

create table private.former_members (
  brand_id uuid not null,
  user_id uuid not null,
  display_name text not null,
  left_at timestamp with time zone not null default now(),
  constraint former_members_pkey primary key (brand_id, user_id),
  constraint former_members_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint former_members_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
alter table private.former_members enable row level security;
create index former_members_by_user_idx on private.former_members using btree (user_id);

-- Where the account or the whole brand is deleted, nothing is kept.
create function private.keep_name_of_member() returns trigger; -- plpgsql volatile security definer

-- Of these people [{ id, name }] who were members of the brand, as they were called in it last. For its members.
create function public.former_members(p_brand_id uuid, p_user_ids uuid[]) returns json; -- plpgsql stable security definer for authenticated, service_role

-- ==== 20261207000000_writes_cost_less.sql ====

-- When a record was made never changes (private.stamp).
create function private.add_contact_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

create function private.add_company_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

create function private.add_deal_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

-- ==== 20261207000100_keys_only_where_sent.sql ====

create function private.prune_at_times() returns trigger; -- plpgsql volatile security definer

-- The triggers of a table for requests with a key, and for what is too old. A condition is evaluated before any function is called.
create procedure private.guard_keys(in p_table regclass, in p_key text); -- plpgsql volatile

-- ==== 20261208000000_kept_figures.sql ====

create table private.kept_figures (
  brand_id uuid not null,
  table_name text not null,
  -- Of deals only.
  stage_id uuid,
  owner_id uuid,
  currency text,
  count bigint not null,
  amount numeric not null default 0,
  status text,
  day date
);
alter table private.kept_figures enable row level security;
create index kept_figures_idx on private.kept_figures using btree (brand_id, table_name, day);

-- By which columns the figures of a table are kept; null: none are.
create function private.kept_columns(p_table text) returns text[]; -- sql immutable; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- Replaces the lines of a figure by their sums; p_days: only those of these days. One caller at a time folds, the others go on. Not under a
-- snapshot that is older than the lines of others.
create function private.fold_figures(p_brand_id uuid, p_table text, p_days date[] default null::date[]) returns void; -- plpgsql volatile security definer; body in 20270103000000_further_kept_figures.sql

-- After contacts or companies were inserted or deleted. What goes with its brand is not noted.
create function private.note_count() returns trigger; -- plpgsql volatile security definer; body in 20270103000000_further_kept_figures.sql

-- After deals were written. What goes with its brand is not noted.
create function private.note_sums() returns trigger; -- plpgsql volatile security definer; body in 20270103000000_further_kept_figures.sql

create function private.forget_figures() returns trigger; -- plpgsql volatile security definer

-- What the figures are by plain SQL.
create function private.counted_figures() returns setof private.kept_figures; -- sql stable; body in 20270103000000_further_kept_figures.sql

-- Kept figures that are wrong, as what is missing from them. For the operator: select * from private.wrong_figures();
create function private.wrong_figures() returns setof private.kept_figures; -- sql stable; body in 20270103000000_further_kept_figures.sql

-- Counts everything anew, while all writers wait: for rows that came without triggers. For the operator:
-- select private.count_all_figures();
create function private.count_all_figures() returns void; -- plpgsql volatile

-- ==== 20261208000100_reads_that_do_not_grow.sql ====

-- What comes after the row with these key values (the last is its id) in an order, as SQL: one condition for each stretch of the
-- index, in their order. After ('Anna', 'Vogt', 7): Anna Vogt with a higher id, Anna with a later last name, Anna without one, later first names,
-- none. Empty values come last. Without p_after the whole order: one stretch, or two where its first key is joined.
create function private.query_stretches(p_keys private.list_orders[], p_after jsonb) returns text[]; -- plpgsql stable

-- The first ids that a search finds, by an index; without p_limit all of them. p_budget: of the first so many records only.
create function private.first_hits(p_source text, p_conditions text, p_brand_id uuid, p_limit integer, p_budget integer) returns uuid[]; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- The answer of query_figures from the kept figures of a name (private.kept_source), for a filter of their table.
create function private.kept_query_figures(p_source text, p_filter text, p_brand_id uuid, p_sums boolean) returns jsonb; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- How many rows a query has, counted no further than p_most: { total, more }. p_ids: $3 of the filter. In a large brand the newest records are looked
-- at first: where many of them are counted, that is enough to say that there are more.
create function private.query_count(p_table text, p_filter text, p_brand_id uuid, p_most integer, p_ids uuid[] default null::uuid[]) returns jsonb; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- The figures of a query: kept ones, as far as `most` demands, or counted to the end. p_search: for `most` known from its page.
create function private.figures_of(p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid) returns jsonb; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- The figures of deals for each stage that has some: what several columns of a board ask for is read once. p_filter: without a stage, and with p_ids
-- as $3. p_source: from the kept figures of this name.
create function private.figures_by_stage(p_filter text, p_brand_id uuid, p_source text, p_ids uuid[] default null::uuid[]) returns jsonb; -- plpgsql stable security definer; body in 20270103000300_lists_and_searches_at_less_cost.sql

-- ==== 20261208000200_task_words.sql ====

create table private.tasks_words (
  brand_id uuid not null,
  id uuid not null,
  words text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint tasks_words_pkey primary key (brand_id, id),
  constraint tasks_words_brand_id_id_fkey foreign key (brand_id, id) references public.tasks(brand_id, id) on delete cascade
);
alter table private.tasks_words enable row level security;
create index tasks_words_idx on private.tasks_words using gin (brand_id, words extensions.gin_trgm_ops);
create index tasks_words_newest_idx on private.tasks_words using btree (brand_id, created_at desc, id);

create function private.write_task_words() returns trigger; -- plpgsql volatile security definer; body in 20270103000200_words_newest_first.sql

-- ==== 20261209000000_imports_undone_in_any_order.sql ====

-- A contact whose revision is `rev` has the values again that it had at `as_rev`: the undo of an import has restored them.
create table private.import_restored (
  brand_id uuid not null,
  contact_id uuid not null,
  rev bigint not null,
  as_rev bigint not null,
  constraint import_restored_pkey primary key (brand_id, contact_id),
  constraint import_restored_brand_id_contact_id_fkey foreign key (brand_id, contact_id) references public.contacts(brand_id, id) on delete cascade
);
alter table private.import_restored enable row level security;

-- An undone import whose contacts have passed to a later one, which has changed them: the undo of that one deletes the
-- companies of both. Without a reference to the imports, so that two undos at once do not lock each other's line.
create table private.import_heirs (
  brand_id uuid not null,
  heir_id uuid not null,
  import_id uuid not null,
  constraint import_heirs_pkey primary key (brand_id, heir_id, import_id),
  constraint import_heirs_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table private.import_heirs enable row level security;

-- The revision by which imports know a contact: while it is as an undo has restored it, that of these values.
create function private.import_rev(p_contact public.contacts) returns bigint; -- sql stable

-- Whether a deal, a task or a note names a contact.
create function private.is_named(p_contact public.contacts) returns boolean; -- sql stable; body in 20261217000100_imports_keep_notes.sql

-- Whether a contact, a deal or a note names a company.
create function private.is_used(p_company public.companies) returns boolean; -- sql stable; body in 20261217000100_imports_keep_notes.sql

-- The revisions of an import, and of the undone ones whose contacts have passed to it.
create function private.import_revs(p_brand_id uuid, p_import_id uuid) returns bigint[]; -- sql stable

-- ==== 20261211000000_notes.sql ====

create table public.notes (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  kind text not null default 'note'::text,
  -- Markdown: bold, lists and links are shown, all else as it was typed. A mention is `@[Name](user:uuid)`.
  body text not null,
  -- Who wrote it: set here, never by a client. Without a foreign key, so that it outlives the membership.
  author_id uuid,
  occurred_at timestamp with time zone not null default now(),
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  pinned boolean not null default false,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  constraint notes_pkey primary key (brand_id, id),
  constraint notes_brand_id_company_id_fkey foreign key (brand_id, company_id) references public.companies(brand_id, id) on delete set null (company_id),
  constraint notes_brand_id_contact_id_fkey foreign key (brand_id, contact_id) references public.contacts(brand_id, id) on delete set null (contact_id),
  constraint notes_brand_id_deal_id_fkey foreign key (brand_id, deal_id) references public.deals(brand_id, id) on delete set null (deal_id),
  constraint notes_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint notes_body_check check ((((body <> ''::text) or (kind = any (array['call'::text, 'meeting'::text]))) and (length(body) <= 10000))),
  constraint notes_kind_check check ((kind = any (array['note'::text, 'call'::text, 'meeting'::text, 'email'::text]))),
  constraint notes_occurred_at_check check (((occurred_at >= '0001-01-02 00:00:00+00'::timestamp with time zone) and (occurred_at < '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
alter table public.notes enable row level security;
alter publication supabase_realtime add table public.notes;
grant delete, insert (brand_id, id, kind, body, author_id, occurred_at, contact_id, company_id, deal_id, pinned), select, update (kind, body, occurred_at, contact_id, company_id, deal_id, pinned) on public.notes to authenticated;
grant delete, insert, select, update on public.notes to service_role;
create index notes_by_rev_idx on public.notes using btree (brand_id, rev, id);
create index notes_newest_idx on public.notes using btree (brand_id, occurred_at desc, id);
create index notes_of_company_idx on public.notes using btree (brand_id, company_id, occurred_at desc, id) where (company_id is not null);
create index notes_of_contact_idx on public.notes using btree (brand_id, contact_id, occurred_at desc, id) where (contact_id is not null);
create index notes_of_deal_idx on public.notes using btree (brand_id, deal_id, occurred_at desc, id) where (deal_id is not null);
create index notes_pinned_idx on public.notes using btree (brand_id, occurred_at desc) where pinned;
create trigger assert_author before update on public.notes
  for each row when (((((((new.kind is distinct from old.kind) or (new.body is distinct from old.body)) or (new.occurred_at is distinct from old.occurred_at)) or (new.contact_id is distinct from old.contact_id)) or (new.company_id is distinct from old.company_id)) or (new.deal_id is distinct from old.deal_id))) execute function private.assert_author();
create trigger assert_author_of_gone before delete on public.notes
  for each row execute function private.assert_author();
create trigger assert_may_restore before insert on public.notes
  for each row when ((current_setting('private.restoring'::text, true) = 'on'::text)) execute function private.assert_may_restore_note();
create trigger check_key before insert or delete or update on public.notes
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.notes referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger delete_orphaned before update of contact_id, company_id, deal_id on public.notes
  for each row when ((num_nonnulls(new.contact_id, new.company_id, new.deal_id) = 0)) execute function private.delete_orphaned_note();
create trigger notify_first_mentioned after insert on public.notes
  for each row when ((new.body ~~ '%](user:%'::text)) execute function private.notify_mentioned();
create trigger notify_mentioned after update of body on public.notes
  for each row when (((new.body ~~ '%](user:%'::text) and (new.body <> old.body))) execute function private.notify_mentioned();
create trigger prune before insert or delete or update on public.notes
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.notes
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger stamp before insert or update on public.notes
  for each row execute function private.stamp();
create trigger tidy before insert or update on public.notes
  for each row execute function private.tidy_note();
create trigger write_tombstone before delete on public.notes
  for each row execute function private.write_tombstone('id');
create trigger write_words after insert or update of body on public.notes
  for each row execute function private.write_note_words();
create policy "members add notes to their brands" on public.notes for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members change the notes of their brands" on public.notes for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members delete notes of their brands" on public.notes for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members see the notes of their brands" on public.notes for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every note" on public.notes for all to service_role
  using (true);

-- The text without white space at its ends, its author, and at least one link. A restored note stays as it was. Where nothing that it belonged
-- to is left, it stays away until that comes back.
create function private.tidy_note() returns trigger; -- plpgsql volatile security definer

-- What a client may do with a note of somebody else. It runs with the caller's rights: foreign keys, restored links and an operator's script
-- act as another role. (It comes before the other triggers by its name.)
create function private.assert_author() returns trigger; -- plpgsql volatile

-- A note that loses its last link is deleted, as it was before. Where the link went with the record that it named, it comes back with that.
create function private.delete_orphaned_note() returns trigger; -- plpgsql volatile security definer

-- Inserts a deleted row again, with its links in both directions. False where its key or e-mail is taken, or where it has no place any more.
create function private.restore_row(p_tombstone private.tombstones) returns boolean; -- plpgsql volatile security definer

-- ==== 20261211000100_field_history.sql ====

create table public.field_changes (
  brand_id uuid not null,
  id bigint not null generated always as identity,
  table_name text not null,
  record_id uuid not null,
  column_name text not null,
  -- As text; of a link the id.
  from_value text,
  to_value text,
  changed_by uuid,
  changed_at timestamp with time zone not null default now(),
  constraint field_changes_pkey primary key (brand_id, id),
  constraint field_changes_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table public.field_changes enable row level security;
grant select on public.field_changes to authenticated;
grant select on public.field_changes to service_role;
create index field_changes_of_record_idx on public.field_changes using btree (brand_id, record_id, changed_at);
create policy "members see what fields of their brands' records were" on public.field_changes for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every change of a field" on public.field_changes for all to service_role
  using (true);

-- The columns are the arguments of the trigger. A link that goes with the record that it names, or comes back with it, is not noted: a delete
-- and its undo leave no trace. An owner who leaves is.
create function private.note_field_changes() returns trigger; -- plpgsql volatile security definer

-- ==== 20261211000200_timeline.sql ====

-- What a timeline is about: the record; of a company also its contacts and deals, the 1,000 of each that were written last.
create function private.timeline_subjects(p_brand_id uuid, p_table text, p_id uuid, out contacts uuid[], out companies uuid[], out deals uuid[]) returns record; -- plpgsql stable security definer

-- The first p_limit entries after (p_at, p_key), by time and key, latest first. Each kind reads one range of an index for each record.
create function private.timeline_keys(p_brand_id uuid, p_contacts uuid[], p_companies uuid[], p_deals uuid[], p_at timestamp with time zone, p_key text, p_limit integer) returns table(at timestamp with time zone, key text); -- plpgsql stable security definer

-- An entry of a timeline by its key, and under `ids` the records that it names.
create function private.timeline_entry(p_brand_id uuid, p_key text, p_at timestamp with time zone) returns jsonb; -- plpgsql stable security definer

-- What these contacts, companies and deals are called: { id: name }.
create function private.record_names(p_brand_id uuid, p_ids uuid[]) returns jsonb; -- plpgsql stable security definer

-- A page of the timeline of a contact, a company (with its contacts and deals) or a deal, newest first:
--   { entries: [{ kind, key, at, by, … }], pinned: [notes], names: { id: name }, next }
-- kind: note { note }, stage { deal_id, from, to }, amount { deal_id, from, from_currency, to, to_currency },
-- task { task_id, title, contact_id, deal_id }, field { table, record_id, column, from, to }.
-- p_before: the `next` of the page before, or a time; `next` is null where nothing follows. p_limit: up to 100. `pinned` comes with the first page.
-- A record that is not there has an empty timeline. Raises NOT_AUTHORIZED.
create function public.timeline(p_brand_id uuid, p_table text, p_id uuid, p_before text default null::text, p_limit integer default 30) returns json; -- plpgsql stable security definer for authenticated, service_role

-- ==== 20261212000000_tags.sql ====

create table public.tags (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null,
  color text not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  constraint tags_pkey primary key (brand_id, id),
  constraint tags_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint tags_color_check check ((color = any (array['grey'::text, 'red'::text, 'orange'::text, 'yellow'::text, 'green'::text, 'teal'::text, 'blue'::text, 'indigo'::text, 'purple'::text, 'pink'::text]))),
  constraint tags_name_check check (((name <> ''::text) and (length(name) <= 50)))
);
alter table public.tags enable row level security;
alter publication supabase_realtime add table public.tags;
grant delete, insert (brand_id, id, name, color), select, update (name, color) on public.tags to authenticated;
grant delete, insert, select, update on public.tags to service_role;
create unique index tags_by_folded_name_idx on public.tags using btree (brand_id, lower(name));
create index tags_by_rev_idx on public.tags using btree (brand_id, rev, id);
create trigger check_key before insert or delete or update on public.tags
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.tags referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger prune before insert or delete or update on public.tags
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.tags
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger stamp before insert or update on public.tags
  for each row execute function private.stamp();
create trigger tidy before insert or update on public.tags
  for each row execute function private.tidy_tag();
create trigger write_tombstone before delete on public.tags
  for each row execute function private.write_tombstone('id');
create policy "admins and owners add tags" on public.tags for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "admins and owners change tags" on public.tags for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "admins and owners delete tags" on public.tags for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "members see the tags of their brands" on public.tags for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every tag" on public.tags for all to service_role
  using (true);

-- Lists in files separate names by comma and semicolon. A tag without a colour gets one that few others have. Restoring goes by
-- restore_records, which every member may call.
create function private.tidy_tag() returns trigger; -- plpgsql volatile security definer

-- Keeps the ids of tags of this brand, and of deleted ones that can still be restored, once each and sorted. A merged tag is replaced by its
-- target, also if the merge is undone later: the undo (restore_moved) concerns only the records that the merge has changed.
create function private.tidy_tag_ids() returns trigger; -- plpgsql volatile security definer; body in 20270120000000_targets_of_merged_tags.sql

-- Makes a tag, or finds the one with this name, compared without regard to case; answers its id. For admins and owners.
create function public.upsert_tag(p_brand_id uuid, p_name text, p_color text default null::text, p_id uuid default null::uuid) returns uuid; -- plpgsql volatile security definer for authenticated, service_role

-- How many records each tag has: [{ id, contacts, companies, deals }], tags without records left out.
create function public.tag_counts(p_brand_id uuid) returns json; -- plpgsql stable security definer for authenticated, service_role

-- Gives the records of a tag another one instead, at most 500 a call, and then deletes it: call it until the answer says `done`.
-- Answers { done, count }: how many records this call has changed. What was moved is kept (restore_moved), and so is the other tag, for
-- writes that still name the merged one. For admins and owners.
create function public.merge_tags(p_brand_id uuid, p_tag_id uuid, p_into_id uuid) returns json; -- plpgsql volatile security definer for authenticated, service_role; body in 20270120000000_targets_of_merged_tags.sql

-- ==== 20261212000100_import_tags.sql ====

-- The names of tags in the rows of an import, with the id of the tag where there is one. `place` is that of the row.
create function private.imported_tags(p_brand_id uuid, p_rows jsonb) returns table(place bigint, name text, id uuid); -- sql stable

-- Gives imported contacts the tags of their rows beside those that they have, 30 at most. Answers p_answers with what changed: a contact
-- that was unchanged until here is updated, and `left_out_tags` names the tags that it did not get.
create function private.add_imported_tags(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_answers jsonb) returns jsonb; -- plpgsql volatile security definer; body in 20261226000000_imports_at_once.sql

-- ==== 20261213000000_custom_fields.sql ====

create table public.custom_fields (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  table text not null,
  -- The name of the field for imports and programs. From the label where absent.
  key text not null,
  label text collate "und-x-icu" not null,
  type text not null,
  -- choice and choices: [{ id, label, retired }]. A text stands for an option with this id and label.
  options jsonb not null default '[]'::jsonb,
  -- money: of all its values.
  currency text,
  position numeric not null,
  -- Forms and panels ask for it. SQL does not refuse a record without it: records written before would be stuck.
  required boolean not null default false,
  -- The values stay, forms and lists leave the field out.
  retired_at timestamp with time zone,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  constraint custom_fields_pkey primary key (brand_id, id),
  constraint custom_fields_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint custom_fields_currency_check check ((currency ~ '^[A-Z]{3}$'::text)),
  constraint custom_fields_key_check check (((key ~ '^[a-z][a-z0-9_]*$'::text) and (length(key) <= 60))),
  constraint custom_fields_label_check check (((label <> ''::text) and (length(label) <= 80))),
  constraint custom_fields_position_check check ((("position" > (0)::numeric) and ("position" <= (1000000)::numeric) and (scale("position") <= 20))),
  constraint custom_fields_table_check check (("table" = any (array['contacts'::text, 'companies'::text, 'deals'::text]))),
  constraint custom_fields_type_check check ((type = any (array['text'::text, 'long_text'::text, 'number'::text, 'money'::text, 'date'::text, 'yes_no'::text, 'choice'::text, 'choices'::text, 'link'::text])))
);
alter table public.custom_fields enable row level security;
alter publication supabase_realtime add table public.custom_fields;
grant insert (brand_id, id, table, key, label, type, options, currency, position, required, retired_at), select, update (label, options, currency, position, required, retired_at) on public.custom_fields to authenticated;
grant delete, insert, select, update on public.custom_fields to service_role;
create unique index custom_fields_by_key_idx on public.custom_fields using btree (brand_id, "table", key);
create unique index custom_fields_by_label_idx on public.custom_fields using btree (brand_id, "table", lower(label)) where (retired_at is null);
create index custom_fields_by_rev_idx on public.custom_fields using btree (brand_id, rev, id);
create trigger check_key before insert or delete or update on public.custom_fields
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.custom_fields referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger prune before insert or delete or update on public.custom_fields
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.custom_fields
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger stamp before insert or update on public.custom_fields
  for each row execute function private.stamp();
create trigger tidy before insert or update on public.custom_fields
  for each row execute function private.tidy_custom_field();
create trigger write_tombstone before delete on public.custom_fields
  for each row execute function private.write_tombstone('id');
create policy "admins and owners add fields" on public.custom_fields for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "admins and owners change fields" on public.custom_fields for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "members see the fields of their brands" on public.custom_fields for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every field" on public.custom_fields for all to service_role
  using (true);

-- The options of a list: as given, then those of before that are missing, retired. Values name options by id, so none goes.
create function private.field_options(p_given jsonb, p_before jsonb) returns jsonb; -- plpgsql immutable for authenticated, service_role

-- A key from a label: 'Renewal month' -> 'renewal_month', and with a number where it is taken.
create function private.field_key(p_brand_id uuid, p_table text, p_label text) returns text; -- plpgsql stable for authenticated, service_role

-- It runs with the caller's rights: to somebody outside of the brand it says nothing about the brand's fields.
create function private.tidy_custom_field() returns trigger; -- plpgsql volatile

-- The value as it is stored; null where nothing is left of it. Raises a sentence with the field's label where it is no value of
-- the field's type.
create function private.custom_value(p_field public.custom_fields, p_value jsonb) returns jsonb; -- plpgsql stable for authenticated, service_role

-- A write of `custom` is a merge patch (RFC 7396, one level): it sets its keys, a key with null is removed, the others stay. So
-- patches of different fields commute. A field is named by its id or by its key, and stored by its id.
-- It runs with the caller's rights: a field of a brand that the caller does not see is unknown.
create function private.merge_custom() returns trigger; -- plpgsql volatile; body in 20270103000400_custom_fields_at_once.sql

-- The condition of one field of a row called r. Numbers are compared as numbers, texts and days by their characters; a value of
-- another kind does not match. `has`: a list in the record that contains this value, or one of these.
create function private.custom_condition(p_field text, p_condition jsonb) returns text; -- plpgsql immutable

-- ==== 20261214000000_pipelines.sql ====

create table public.pipelines (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null,
  position integer not null,
  -- What a person is offered who moves a deal to a lost stage; what they choose or type stands in deals.lost_reason.
  lost_reasons text[] not null default array['Price'::text, 'Competitor'::text, 'No budget'::text, 'Bad timing'::text, 'No answer'::text],
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  constraint pipelines_pkey primary key (brand_id, id),
  constraint pipelines_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint pipelines_lost_reasons_check check (private.are_reasons(lost_reasons)),
  constraint pipelines_name_check check (((name <> ''::text) and (length(name) <= 200))),
  constraint pipelines_position_check check (("position" > 0))
);
alter table public.pipelines enable row level security;
alter publication supabase_realtime add table public.pipelines;
grant insert (brand_id, id, name, position, lost_reasons), select, update (name, position, lost_reasons) on public.pipelines to authenticated;
grant delete, insert, select, update on public.pipelines to service_role;
create index pipelines_by_rev_idx on public.pipelines using btree (brand_id, rev, id);
create trigger check_key before insert or delete or update on public.pipelines
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.pipelines referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger prune before insert or delete or update on public.pipelines
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.pipelines
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger stamp before insert or update on public.pipelines
  for each row execute function private.stamp();
create trigger tidy before insert or update on public.pipelines
  for each row execute function private.tidy_pipeline();
create trigger write_tombstone before delete on public.pipelines
  for each row execute function private.write_tombstone('id');
create policy "admins and owners add pipelines" on public.pipelines for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "admins and owners change pipelines" on public.pipelines for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids('admin'::text) as my_brand_ids))));
create policy "members see the pipelines of their brands" on public.pipelines for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every pipeline" on public.pipelines for all to service_role
  using (true);

-- Beside the main contact, deals.contact_id. They go with the deal or the contact, and come back with it.
create table public.deal_contacts (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  deal_id uuid not null,
  contact_id uuid not null,
  role text not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid,
  updated_by uuid,
  constraint deal_contacts_pkey primary key (brand_id, id),
  constraint deal_contacts_once_key unique (brand_id, deal_id, contact_id),
  constraint deal_contacts_brand_id_contact_id_fkey foreign key (brand_id, contact_id) references public.contacts(brand_id, id) on delete cascade,
  constraint deal_contacts_brand_id_deal_id_fkey foreign key (brand_id, deal_id) references public.deals(brand_id, id) on delete cascade,
  constraint deal_contacts_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade,
  constraint deal_contacts_role_check check ((role = any (array['decides'::text, 'pays'::text, 'uses'::text])))
);
alter table public.deal_contacts enable row level security;
alter publication supabase_realtime add table public.deal_contacts;
grant delete, insert (brand_id, id, deal_id, contact_id, role), select, update (role) on public.deal_contacts to authenticated;
grant delete, insert, select, update on public.deal_contacts to service_role;
create index deal_contacts_by_contact_idx on public.deal_contacts using btree (brand_id, contact_id);
create index deal_contacts_by_rev_idx on public.deal_contacts using btree (brand_id, rev, id);
create index deal_contacts_newest_idx on public.deal_contacts using btree (brand_id, created_at desc, id);
create trigger check_key before insert or delete or update on public.deal_contacts
  for each statement when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.check_key();
create trigger clear_tombstone after insert on public.deal_contacts referencing new table as arrived
  for each statement execute function private.clear_tombstone('id');
create trigger mark_gone_along after delete on public.deal_contacts
  for each row when ((pg_trigger_depth() > 0)) execute function private.mark_gone_along();
create trigger prune before insert or delete or update on public.deal_contacts
  for each statement when ((random() < (0.002)::double precision)) execute function private.prune_at_times();
create trigger record_key after insert or delete or update on public.deal_contacts
  for each row when ((current_setting('request.headers'::text, true) ~~ '%"idempotency-key"%'::text)) execute function private.record_key('id');
create trigger stamp before insert or update on public.deal_contacts
  for each row execute function private.stamp();
create trigger tidy before insert on public.deal_contacts
  for each row when ((coalesce(current_setting('private.restoring'::text, true), ''::text) = ''::text)) execute function private.tidy_deal_contact();
create trigger write_tombstone before delete on public.deal_contacts
  for each row execute function private.write_tombstone('id');
create policy "members add contacts to their brands' deals" on public.deal_contacts for insert to authenticated
  with check ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members change the contacts of their brands' deals" on public.deal_contacts for update to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members see the contacts of their brands' deals" on public.deal_contacts for select to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "members take contacts from their brands' deals" on public.deal_contacts for delete to authenticated
  using ((brand_id = any (array( select private.my_brand_ids() as my_brand_ids))));
create policy "the secret key sees every contact of a deal" on public.deal_contacts for all to service_role
  using (true);

-- At most 30 short texts.
create function private.are_reasons(p_reasons text[]) returns boolean; -- sql immutable for authenticated, service_role

-- A pipeline without a position goes last. At most 20 a brand, for people: an operator's script may add more. Restored by admins alone.
create function private.tidy_pipeline() returns trigger; -- plpgsql volatile security definer

create function private.first_pipeline(p_brand_id uuid) returns uuid; -- sql stable

-- Where deals begin.
create function private.first_stage(p_brand_id uuid) returns uuid; -- sql stable

-- Puts these pipelines, or stages, of a brand in this order. Admins and owners.
create function public.set_positions(p_brand_id uuid, p_table text, p_ids uuid[]) returns void; -- plpgsql volatile security definer for authenticated, service_role

-- Moves the deals of these stages to another one, and deletes the stages. What was moved is kept (restore_moved).
create function private.empty_and_delete_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid) returns bigint; -- plpgsql volatile security definer; body in 20270116000000_large_stages_in_pieces.sql

-- Deletes a stage; its deals go to another one of the brand. The last open stage of a pipeline stays: a deal begins there. Answers how many
-- deals it has moved. Admins and owners.
create function public.delete_deal_stage(p_brand_id uuid, p_stage_id uuid, p_to_stage_id uuid default null::uuid) returns integer; -- plpgsql volatile security definer for authenticated, service_role

-- Deletes a pipeline with its stages; its deals go to a stage of another one. The last pipeline stays. Answers how many deals it has
-- moved. Admins and owners.
create function public.delete_pipeline(p_brand_id uuid, p_pipeline_id uuid, p_to_stage_id uuid default null::uuid) returns integer; -- plpgsql volatile security definer for authenticated, service_role

-- At most 50 a deal. What is restored is not counted.
create function private.tidy_deal_contact() returns trigger; -- plpgsql volatile security definer

-- Marks the tombstone of a row that goes with its deal or contact, so that it comes back with them. What a person removed by itself does not.
create function private.mark_gone_along() returns trigger; -- plpgsql volatile security definer

-- After a deal or contact was restored: its rows of deal_contacts, if what they name at the other end is here too.
create function private.restore_deal_contacts() returns trigger; -- plpgsql volatile security definer

-- ==== 20261214000100_restored_into_its_pipeline.sql ====

-- For a stage that was deleted: the first one of its pipeline, or, where that is gone too, of the first pipeline.
create function private.stage_instead_of(p_brand_id uuid, p_stage_id uuid) returns uuid; -- sql stable

-- ==== 20261215000000_notifications.sql ====

-- The scope of a person's live events in a brand. Its id is random: a scope is a bare uuid, and a brand's id is chosen by who
-- founds it, so a scope that could be guessed could be taken.
create table private.inboxes (
  brand_id uuid not null,
  user_id uuid not null,
  id uuid not null default gen_random_uuid(),
  constraint inboxes_pkey primary key (brand_id, user_id),
  constraint inboxes_id_key unique (id),
  constraint inboxes_brand_id_user_id_fkey foreign key (brand_id, user_id) references public.memberships(brand_id, user_id) on delete cascade
);

create table public.notifications (
  brand_id uuid not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  kind text not null,
  -- What it is about, without a foreign key: it stays readable after the record was deleted, and finds it again when it is restored.
  record_table text,
  record_id uuid,
  -- The record's name when it happened, and what else matters: the stage that a deal was moved to.
  title text not null,
  detail text,
  -- The same happened to further records at the same time.
  is_many boolean not null default false,
  actor_id uuid,
  inbox_id uuid not null,
  created_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  -- The notification of a mention knows its note, and leads to it, in the bell and in a push. Without a foreign key, as for records: a note that
  -- was deleted and restored is found again, and deleting a note searches for no notifications.
  note_id uuid,
  constraint notifications_pkey primary key (brand_id, id),
  constraint notifications_brand_id_user_id_fkey foreign key (brand_id, user_id) references public.memberships(brand_id, user_id) on delete cascade,
  constraint notifications_detail_check check ((length(detail) <= 500)),
  constraint notifications_kind_check check ((kind = any (array['assigned'::text, 'deal_moved'::text, 'member_joined'::text, 'mentioned'::text, 'task_due'::text, 'import_ended'::text, 'added_to_brand'::text]))),
  constraint notifications_record_table_check check ((record_table = any (array['contacts'::text, 'companies'::text, 'deals'::text, 'tasks'::text]))),
  constraint notifications_title_check check ((length(title) <= 500))
);
alter table public.notifications enable row level security;
alter publication supabase_realtime add table public.notifications;
grant select, update (read_at) on public.notifications to authenticated;
grant delete, insert, select, update on public.notifications to service_role;
create index notifications_by_id_idx on public.notifications using btree (id);
create index notifications_newest_idx on public.notifications using btree (brand_id, user_id, created_at desc, id);
create trigger push after insert on public.notifications
  for each row when ((new.read_at is null)) execute function private.push_notification();
create trigger tidy before insert or update on public.notifications
  for each row execute function private.tidy_notification();
create policy "everybody marks their own notifications as read" on public.notifications for update to authenticated
  using (((user_id = ( select private.caller_id() as caller_id)) and (brand_id = any (array( select private.my_brand_ids() as my_brand_ids)))));
create policy "everybody sees their own notifications" on public.notifications for select to authenticated
  using (((user_id = ( select private.caller_id() as caller_id)) and (brand_id = any (array( select private.my_brand_ids() as my_brand_ids)))));
create policy "the secret key sees every notification" on public.notifications for all to service_role
  using (true);

-- So many are kept of a person in a brand, and so long those that were read.
create function private.kept_notifications() returns integer; -- sql immutable

create function private.tidy_notification() returns trigger; -- plpgsql volatile security definer

-- Notifies a member of the brand. Nobody is notified of what they did themselves, and nobody who is no member. Many changes of one kind by one
-- person at the same time are one notification: a thousand records that are handed over are no thousand lines.
create function private.notify(p_brand_id uuid, p_user_id uuid, p_kind text, p_table text, p_record_id uuid, p_title text, p_detail text default null::text, p_actor uuid default auth.uid(), p_note_id uuid default null::uuid) returns void; -- plpgsql volatile security definer; body in 20261221000000_mentions_lead_to_notes.sql

-- The name by which people know a record.
create function private.record_name(p_table text, p_row jsonb) returns text; -- plpgsql immutable

-- A record has another owner, or a task another assignee: tells the new one. What the one before has not read yet is taken back.
-- A restored record notifies nobody: undo is no news.
create function private.tell_assignee() returns trigger; -- plpgsql volatile security definer

create function private.tell_owner_of_move() returns trigger; -- plpgsql volatile security definer

-- An invitation was accepted: tells who invited.
create function private.tell_inviter() returns trigger; -- plpgsql volatile security definer

-- ==== 20261215000100_mentions.sql ====

-- Whom a note has mentioned so far. Without a foreign key to notes: a note that is deleted and restored notifies nobody again.
create table private.note_mentions (
  brand_id uuid not null,
  note_id uuid not null,
  user_id uuid not null,
  constraint note_mentions_pkey primary key (brand_id, note_id, user_id),
  constraint note_mentions_brand_id_user_id_fkey foreign key (brand_id, user_id) references public.memberships(brand_id, user_id) on delete cascade
);
create index note_mentions_of_member_idx on private.note_mentions using btree (brand_id, user_id);

-- The beginning of a note, with names in place of the tokens of mentions.
create function private.note_beginning(p_body text) returns text; -- plpgsql immutable

-- At most 50 different people a note: the others are not notified.
create function private.notify_mentioned() returns trigger; -- plpgsql volatile security definer; body in 20261221000000_mentions_lead_to_notes.sql

-- ==== 20261215000200_reminders.sql ====

create table private.notification_settings (
  user_id uuid not null,
  time_zone text not null default 'UTC'::text,
  -- Between these local times nothing is pushed; it comes at their end. Null: at any time.
  quiet_from time without time zone,
  quiet_until time without time zone,
  constraint notification_settings_pkey primary key (user_id),
  constraint notification_settings_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint notification_settings_check check (((quiet_from is null) = (quiet_until is null))),
  constraint notification_settings_time_zone_check check ((length(time_zone) <= 100))
);

-- Where a browser receives pushes. It belongs to a session: a push to a device ends with the sign-in.
create table private.push_subscriptions (
  endpoint text not null,
  user_id uuid not null,
  session_id uuid not null,
  -- The browser's public key and its secret, base64url.
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone not null default now(),
  constraint push_subscriptions_pkey primary key (endpoint),
  constraint push_subscriptions_session_id_fkey foreign key (session_id) references auth.sessions(id) on delete cascade,
  constraint push_subscriptions_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint push_subscriptions_auth_check check ((auth ~ '^[A-Za-z0-9_-]{22}(==)?$'::text)),
  constraint push_subscriptions_endpoint_check check (((length(endpoint) <= 1000) and (endpoint ~ '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](:443)?/[!-~]*$'::text) and (endpoint !~ '^https://[^/]*\.(local|localhost|internal|lan|home|corp|intranet|arpa)(:443)?/'::text))),
  constraint push_subscriptions_p256dh_check check ((p256dh ~ '^[A-Za-z0-9_-]{87}=?$'::text))
);
create index push_subscriptions_of_session_idx on private.push_subscriptions using btree (session_id);
create index push_subscriptions_of_user_idx on private.push_subscriptions using btree (user_id, created_at);

-- Pushes that wait. One that was taken is not taken again: after a crash it may be lost, never shown twice; the bell has it anyway.
create table private.push_outbox (
  id bigint not null generated always as identity,
  endpoint text not null,
  payload jsonb not null,
  due_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  taken_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint push_outbox_pkey primary key (id),
  constraint push_outbox_endpoint_fkey foreign key (endpoint) references private.push_subscriptions(endpoint) on delete cascade
);
create index push_outbox_by_age_idx on private.push_outbox using btree (created_at);
create index push_outbox_by_due_idx on private.push_outbox using btree (due_at) where (taken_at is null);
create index push_outbox_by_endpoint_idx on private.push_outbox using btree (endpoint);
create index push_outbox_taken_idx on private.push_outbox using btree (taken_at) where (taken_at is not null);

-- When whom to remind of a task. A task without a reminder is done, or its time had passed when it was written.
create table private.reminders (
  brand_id uuid not null,
  task_id uuid not null,
  user_id uuid not null,
  remind_at timestamp with time zone not null,
  constraint reminders_pkey primary key (brand_id, task_id),
  constraint reminders_brand_id_task_id_fkey foreign key (brand_id, task_id) references public.tasks(brand_id, id) on delete cascade
);
create index reminders_by_time_idx on private.reminders using btree (remind_at);
create index reminders_of_user_idx on private.reminders using btree (user_id);

-- The first moment from p_at on that lies outside of the person's quiet hours. Local times that a change of the clock skips or repeats
-- are read as PostgreSQL reads them: by the standard time of the zone.
create function private.after_quiet_hours(p_user_id uuid, p_at timestamp with time zone) returns timestamp with time zone; -- plpgsql stable

-- At its time; a task that is due on a day without a time at nine in the morning, by the clock of who is reminded.
create function private.remind_at(p_due_at timestamp with time zone, p_user_id uuid) returns timestamp with time zone; -- plpgsql stable

-- The assignee is reminded; of a task without one, who made it.
create function private.set_reminder() returns trigger; -- plpgsql volatile security definer

-- The bundled server calls this every few seconds; several servers may. Makes the notifications of what is due, each once: a reminder is
-- deleted in the transaction that notifies. On Supabase, pg_cron can call it.
create function private.on_timer() returns void; -- plpgsql volatile security definer; body in 20261221000100_imports_that_ended.sql

create function private.push_payload(p_notification public.notifications) returns jsonb; -- plpgsql stable; body in 20270112000000_reminders_that_are_over.sql

-- To each browser of the person whose session may open the brand, of the kinds that they chose. A brand that somebody was added to and has
-- not opened pushes nothing: anybody may add anybody, and chooses the words.
create function private.push_notification() returns trigger; -- plpgsql volatile security definer; body in 20261221000200_chosen_pushes.sql

-- The next pushes that are due, at most p_limit, each given to one caller. At most three of a person are underway at once. Those that nobody is to
-- get any more are deleted, and those of people whose quiet hours have begun wait for their end.
create function private.take_pushes(p_limit integer) returns table(id bigint, endpoint text, p256dh text, auth text, payload text); -- plpgsql volatile security definer; body in 20270112000000_reminders_that_are_over.sql

-- p_status: the HTTP status, 0 where no answer came. A subscription that is gone is deleted with all that waits for it. A push that may
-- succeed later is tried again, five times.
create function private.settle_push(p_id bigint, p_status integer) returns void; -- plpgsql volatile security definer

-- { time_zone, quiet_from, quiet_until, muted_kinds }: the caller's settings; times as HH:MM, or null; of which kinds nothing is pushed.
create function public.notification_settings() returns json; -- plpgsql stable security definer for authenticated; body in 20261221000200_chosen_pushes.sql

-- Sets the caller's time zone (an IANA name) and quiet hours (null: none).
create function public.set_notification_settings(p_time_zone text, p_quiet_from time without time zone default null::time without time zone, p_quiet_until time without time zone default null::time without time zone) returns void; -- plpgsql volatile security definer for authenticated

-- Pushes to this browser from now on, as long as the caller's session lasts. At most ten browsers: the one that was added first goes.
create function public.save_push_subscription(p_endpoint text, p_p256dh text, p_auth text) returns void; -- plpgsql volatile security definer for authenticated

create function public.remove_push_subscription(p_endpoint text) returns void; -- plpgsql volatile security definer for authenticated

-- ==== 20261216000000_import_changes_shown.sql ====

-- The values of a contact (private.import_values) as people read them: the company and the tags by their names.
create function private.import_values_read(p_brand_id uuid, p_values jsonb) returns jsonb; -- sql stable; body in 20261217000000_import_changes_with_tags.sql

-- The contacts of before that an import has changed, the first 200 by name: { count, contacts: [{ id, email, before, after,
-- changed_since }] }. `after` is what they hold now; `changed_since`: somebody or a later import has changed them since. Nothing of
-- an import that is undone or one of long ago.
create function public.import_changes(p_brand_id uuid, p_import_id uuid) returns json; -- plpgsql stable security definer for authenticated, service_role

-- What import_contacts would change with these rows (as it takes them, at most 5,000) in contacts that are known, in the order of the
-- rows: [{ id, email, before, after }]; `custom` in both is as the contact has it, and `email` is in them if it has no address. Of rows that find one
-- contact the later values count, and the tags of all. Writes nothing.
create function public.preview_import(p_brand_id uuid, p_rows jsonb) returns json; -- plpgsql stable security definer for authenticated, service_role; body in 20270121000000_imports_by_id.sql

-- ==== 20261216000100_due_on_a_day.sql ====

-- The day that a due moment stands for; null where it is a moment with its time. The last millisecond of a minute stands for a day: it
-- is the end of the day in the zone of who set it, from 10 hours behind UTC to 13 ahead, and all these moments lie on that day where
-- the clock is 10 hours behind. src/web/lib/due-day.ts is the same.
create function private.due_day(p_due_at timestamp with time zone) returns date; -- sql immutable

-- ==== 20261216000400_company_met_by_name.sql ====

-- As before, with the check of the name.
create function public.add_company(p_brand_id uuid, p_name text, p_domain text default null::text, p_phone text default null::text, p_website text default null::text, p_notes text default null::text, p_owner_id uuid default null::uuid, p_id uuid default null::uuid) returns uuid; -- plpgsql volatile security definer for authenticated, service_role; body in 20261224000000_company_without_a_name.sql

-- ==== 20261218000000_search_notes.sql ====

create table private.notes_words (
  brand_id uuid not null,
  id uuid not null,
  words tsvector not null,
  constraint notes_words_pkey primary key (brand_id, id),
  constraint notes_words_brand_id_id_fkey foreign key (brand_id, id) references public.notes(brand_id, id) on delete cascade
);
alter table private.notes_words enable row level security;
create index notes_words_idx on private.notes_words using gin (words);

-- The words of a folded text: what stands between signs and spaces. They are cut here and not by PostgreSQL's parser, which takes addresses,
-- numbers and hyphens apart as the locale has it. Words are as they are, as with the configuration `simple`.
create function private.words_of(p_text text) returns text[]; -- plpgsql immutable

-- What each word of a brand's notes begins with in the index. With the brand as a column of it, all notes of the brand would be read at every
-- search. Two brands may have the same beginning: who searches asks for the brand as well.
create function private.brand_mark(p_brand_id uuid) returns text; -- plpgsql immutable

-- What a note is searched by: its words in all forms. Of a mention the name counts, not the id.
create function private.note_words(p_brand_id uuid, p_body text) returns tsvector; -- plpgsql immutable

-- A typed text as a query for notes that have all of its first eight words, or words that begin so. Null where it has none.
create function private.note_query(p_brand_id uuid, p_search text) returns tsquery; -- plpgsql immutable

create function private.write_note_words() returns trigger; -- plpgsql volatile security definer

-- Runs a statement of found_notes for notes or records that are named by their ids. The planner takes each word for one of 2% of all notes, and
-- would read them all.
create function private.listed_notes(p_statement text, p_brand_id uuid, p_query tsquery, p_at timestamp with time zone, p_id uuid, p_limit integer, p_ids uuid[]) returns jsonb; -- plpgsql stable security definer

-- The notes that a search finds, of each record the newest, as [[id, occurred_at]], the newest first, after (p_at, p_id).
-- p_filter: the records that may be found, as SQL over a row called r, null: all; p_records: their ids where they are few, else null.
create function private.found_notes(p_brand_id uuid, p_table text, p_link text, p_query tsquery, p_filter text, p_records uuid[], p_at timestamp with time zone, p_id uuid, p_limit integer) returns jsonb; -- plpgsql stable security definer

-- The records that are found by a note of theirs: of each the newest note that has all words, the newest first.
--   { notes: rows, named: { table: rows }, next }
-- p_query: { table, where, search } of read_queries, table: contacts, companies or deals. p_before: the `next` of the page before; `next` is
-- null where nothing follows. p_limit: up to 50. Raises NOT_AUTHORIZED.
create function public.search_notes(p_brand_id uuid, p_query jsonb, p_before text default null::text, p_limit integer default 20) returns json; -- plpgsql stable security definer for authenticated, service_role

-- ==== 20261218000100_tags_in_history.sql ====

-- Only tags that are there count: the ids of deleted ones go by themselves.
create function private.note_tag_change() returns trigger; -- plpgsql volatile security definer

-- ==== 20261219000000_tasks_that_come_again.sql ====

-- Says what a value has to be. The time zone is one that the database knows.
create function private.check_repeats() returns trigger; -- plpgsql volatile

-- The id of the next task of a series, made from that of the one before: it is made once, also where two people complete it, each on a device. The
-- step is odd and near the golden section of 2^48, so that ids that follow each other do not meet. src/web/lib/series.ts is the same.
create function private.next_task_id(p_id uuid) returns uuid; -- sql immutable

-- When the next task of a series is due, if this one is done at p_now: on the first day of the series that comes after it and after
-- today, at the same time by the clock of the series. A month that is too short gives its last day. What is due on a day stays so, and
-- what has no date becomes it. Null: beyond what a date can be. src/web/lib/series.ts is the same.
create function private.next_due(p_due_at timestamp with time zone, p_repeats text, p_now timestamp with time zone) returns timestamp with time zone; -- plpgsql stable

-- A task of a series is done: makes the next one, unless it is there. It is open again: takes the next one away, unless somebody has
-- changed it. The caller may write the task, so what follows from it is written with it. (Its name comes before `record_key`: a repeated
-- request is answered with the task that it named.)
create function private.continue_series() returns trigger; -- plpgsql volatile security definer

-- ==== 20261219000100_calendar_feed.sql ====

-- The secret is kept as a hash only. One feed a person, over all of their brands.
create table private.calendar_feeds (
  user_id uuid not null,
  secret_hash bytea not null,
  made_at timestamp with time zone not null default now(),
  -- The session and the password with which it was made. Who fears that one of them was stolen ends it, and the feed with it.
  session_id uuid,
  made_for bytea not null,
  -- It ended with sessions of its person.
  ended_at timestamp with time zone,
  constraint calendar_feeds_pkey primary key (user_id),
  constraint calendar_feeds_secret_hash_key unique (secret_hash),
  constraint calendar_feeds_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
alter table private.calendar_feeds enable row level security;

-- A digest of a user's password, which changes with it; also without a password.
create function private.password_digest(p_user_id uuid) returns bytea; -- plpgsql stable security definer

-- The caller's address: { made_at, ended }; null: there is none. It has `ended` with the 'password' that it was made with, or with 'sessions'.
create function public.calendar_feed() returns json; -- plpgsql stable security definer for authenticated

-- Makes the caller's address: answers its secret, this once. The one before stops working.
create function public.make_calendar_feed() returns text; -- plpgsql volatile security definer for authenticated; body in 20261228010200_feed_of_a_living_session.sql

create function public.end_calendar_feed() returns void; -- plpgsql volatile security definer for authenticated

-- Sessions of a user were ended by their person or by the operator, not by expiring or by a plain sign-out: all but one, or this one. The feed
-- ends, which one of them may have made. The bundled server calls it, too.
create function private.on_sessions_ended(p_user_id uuid, p_session_id uuid default null::uuid) returns void; -- plpgsql volatile security definer

-- The feed with this secret: { name, events }; null: there is none. The bundled server calls it, as the owner. Open tasks that are assigned
-- to its person, from 90 days ago on: the first 1,000 by their due date. A brand that demands a second factor is left out: an
-- address proves none; so is one that its person has not opened: strangers could write into their calendar.
create function private.calendar_of(p_secret text) returns jsonb; -- plpgsql stable; body in 20261228010400_feed_that_does_not_grow.sql

-- ==== 20261220000000_import_custom_fields.sql ====

-- The value of a cell as it is stored, or the sentence why it is none of its field. Null and null: nothing was given.
create function private.custom_value_read(p_field public.custom_fields, p_value jsonb, out value jsonb, out reason text) returns record; -- plpgsql stable

-- The values of custom fields in the rows of an import, at most 200 a row. `custom` of a row has ids or keys of fields. `place` is that of the row.
-- All values are read at once. Only where one is refused each of them is, in a transaction of its own, for its reason.
create function private.imported_custom(p_brand_id uuid, p_rows jsonb) returns table(place bigint, field_id uuid, label text, value jsonb, reason text); -- plpgsql stable; body in 20270103000400_custom_fields_at_once.sql

-- Gives imported contacts the values of custom fields of their rows. Answers p_answers with what changed: a contact that was unchanged until
-- here is updated, and `left_out_values` tells the values that it did not get: [{ field, reason }].
create function private.add_imported_custom(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_answers jsonb) returns jsonb; -- plpgsql volatile security definer; body in 20270103000400_custom_fields_at_once.sql

-- ==== 20261220000100_import_custom_fields_undone.sql ====

-- The patch that makes these values of custom fields of those before. A field that was deleted since does not come back.
create function private.custom_restored(p_brand_id uuid, p_now jsonb, p_before jsonb) returns jsonb; -- sql stable

-- ==== 20261221000100_imports_that_ended.sql ====

-- Imports whose page has not reported their end.
create table private.running_imports (
  brand_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  file_name text not null,
  active_at timestamp with time zone not null default now(),
  -- Its person was notified that it is silent.
  notified_at timestamp with time zone,
  constraint running_imports_pkey primary key (brand_id, id),
  constraint running_imports_brand_id_user_id_fkey foreign key (brand_id, user_id) references public.memberships(brand_id, user_id) on delete cascade,
  constraint running_imports_file_name_check check ((length(file_name) <= 255))
);
alter table private.running_imports enable row level security;
create index running_imports_by_time_idx on private.running_imports using btree (active_at);
create index running_imports_of_member_idx on private.running_imports using btree (brand_id, user_id, active_at);

-- A chunk that wrote something is a sign of life.
create function private.note_chunk() returns trigger; -- plpgsql volatile security definer

-- 'contacts.csv' 'Stopped before its end: 214 contacts imported, 3 rows skipped'. An earlier unread notification of this import is replaced.
create function private.notify_import_ended(p_import private.running_imports, p_is_complete boolean, p_imported integer, p_skipped integer) returns void; -- plpgsql volatile security definer

-- The caller begins an import of this file, or goes on with it. Calling it again does no harm. At most 20 at a time: the one without a chunk for
-- the longest time goes.
create function public.begin_import(p_brand_id uuid, p_import_id uuid, p_file text default null::text) returns void; -- plpgsql volatile security definer for authenticated

-- An import that the caller began has ended: whether all of its rows were read, how many were imported, how many were skipped, and whether the
-- caller saw it end. Of an import that is not known, or has ended, nobody is notified.
create function public.end_import(p_brand_id uuid, p_import_id uuid, p_is_complete boolean, p_imported integer, p_skipped integer, p_is_seen boolean default false) returns void; -- plpgsql volatile security definer for authenticated

create function private.notify_silent_imports() returns void; -- plpgsql volatile security definer

-- ==== 20261221000200_chosen_pushes.sql ====

-- What a person wants no push of.
create table private.muted_pushes (
  user_id uuid not null,
  kind text not null,
  constraint muted_pushes_pkey primary key (user_id, kind),
  constraint muted_pushes_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint muted_pushes_kind_check check ((kind = any (array['assigned'::text, 'deal_moved'::text, 'member_joined'::text, 'mentioned'::text, 'task_due'::text, 'import_ended'::text])))
);
alter table private.muted_pushes enable row level security;

-- Whether notifications of this kind are pushed to the caller's devices. What waits of a kind that is switched off is not sent.
create function public.set_pushed_kind(p_kind text, p_is_on boolean) returns void; -- plpgsql volatile security definer for authenticated

-- Somebody was added to a brand: tells them, with the brand's name and who did it. They read it in their other brands, too.
create function private.tell_added() returns trigger; -- plpgsql volatile security definer

-- Who has opened the brand knows of it.
create function private.read_added() returns trigger; -- plpgsql volatile security definer

-- ==== 20261222000000_moved_records.sql ====

-- The records that merge_tags, delete_deal_stage and delete_pipeline have moved away from a row that they deleted. Rows older than a day are
-- of no use, and go with the next such call of the brand.
create table private.moved_records (
  brand_id uuid not null,
  -- The row that was deleted.
  from_table text not null,
  from_id uuid not null,
  -- The record that was moved, and what it got instead.
  record_table text not null,
  record_id uuid not null,
  to_id uuid not null,
  -- Of a record with a tag: it had the other tag before. Of a deal: since when it was in its stage, and when it was closed.
  had_target boolean,
  stage_since timestamp with time zone,
  closed_at timestamp with time zone,
  moved_at timestamp with time zone not null default now(),
  constraint moved_records_pkey primary key (brand_id, from_table, from_id, record_table, record_id),
  constraint moved_records_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table private.moved_records enable row level security;
create index moved_records_by_age_idx on private.moved_records using btree (brand_id, moved_at);

-- Deletes that moved more records than restore_moved brings back: nothing is kept of them.
create table private.unkept_moves (
  brand_id uuid not null,
  from_table text not null,
  from_id uuid not null,
  moved_at timestamp with time zone not null default now(),
  constraint unkept_moves_pkey primary key (brand_id, from_table, from_id),
  constraint unkept_moves_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table private.unkept_moves enable row level security;

-- How many records are moved at most by what can be undone.
create function private.most_moved() returns integer; -- sql immutable

-- Whether what moves so many more records from these rows can be undone, and is to be kept. Else what was kept of an earlier piece goes. Before, it
-- forgets what is older than a day.
create function private.keeps_moved(p_brand_id uuid, p_table text, p_ids uuid[], p_count bigint) returns boolean; -- plpgsql volatile security definer; body in 20261228010100_merges_undone_apart.sql

-- Undoes merge_tags (`p_table` 'tags') or the delete of stages ('deal_stages'; a pipeline that was deleted with them is restored before): the
-- rows come back, and so do the records that were moved, up to 2,000. A record that somebody has moved on, or taken the other tag from, stays
-- as it is, and so does one that would have more than 30 tags. Returns how many came back. Admins and owners.
create function public.restore_moved(p_brand_id uuid, p_table text, p_ids uuid[]) returns integer; -- plpgsql volatile security definer for authenticated, service_role; body in 20261228010100_merges_undone_apart.sql

-- ==== 20261223000000_teams_of_turns.sql ====

-- While more is asked than the database can do, the server lets teams take turns, and then the users of a team. A team is a brand: of several the one
-- with the most members, so that to found a brand of one's own brings no further turns. A user who was added and has not opened the brand is not in it.
create function private.teams_of(p_users uuid[]) returns table(user_id uuid, team uuid); -- sql stable; body in 20261228010300_teams_counted_once.sql

-- ==== 20261227000000_order_by_custom_fields.sql ====

-- The keys of an order, first to last; none where the table has no such order. Of a field the value is the key: numbers by value, texts as
-- names, days by date, no before yes, one of a list in the order of the options. A value of another kind, or of none of the options, counts as
-- empty. A field that was retired is passed over: an address that was kept shows the list in its own order.
create function private.order_keys(p_table text, p_order text, p_brand_id uuid) returns private.list_orders[]; -- plpgsql stable security definer

-- ==== 20261227000100_set_custom_field_of_all.sql ====

-- The values of p_custom as records store them, by the ids of fields; null: the field is emptied. Raises a sentence where a field is none of this
-- brand and table, was retired, is required and emptied, or takes no such value. A write of one record may empty a required field, as those
-- of before may be without it; a change of all of them may not.
create function private.custom_patch(p_brand_id uuid, p_table text, p_custom jsonb) returns jsonb; -- plpgsql stable security definer

-- ==== 20261231000000_pull_by_kept_plans.sql ====

-- The tables in which a brand has rows of this rev or a later one. Its body is written below.
create function private.changed_tables(p_brand_id uuid, p_since bigint) returns text[]; -- plpgsql stable security definer

-- Writes the bodies of changed_tables and row_counts for the tables of private.synced_tables; runs with every change of that list.
create procedure private.write_pull_functions(); -- plpgsql volatile

create function private.follow_synced_tables() returns trigger; -- plpgsql volatile security definer

-- ==== 20270103000000_further_kept_figures.sql ====

-- The day (UTC) of a moment.
create function private.utc_day(p_moment timestamp with time zone) returns date; -- sql immutable

create function private.note_task_count() returns trigger; -- plpgsql volatile security definer

-- After a record came to another owner, or to another brand, which only the secret key can do. Most updates change neither, so the
-- trigger is one of rows with a condition: it costs those nothing. Many rows may change at once, so few of them fold.
create function private.note_other_owner() returns trigger; -- plpgsql volatile security definer

create function private.note_other_task() returns trigger; -- plpgsql volatile security definer

-- The first of the month of a day.
create function private.month_of(p_day date) returns date; -- sql immutable

-- How many contacts or companies came after a moment: whole days from kept figures, the rest of its day by the index.
create function private.created_since(p_table text, p_brand_id uuid, p_moment timestamp with time zone) returns bigint; -- plpgsql stable security definer

-- ==== 20270103000100_due_conditions.sql ====

-- The moment before which a day that a moment stands for (private.due_day) is an earlier day than this one.
create function private.day_bound(p_day date) returns timestamp with time zone; -- sql immutable

-- The moment of a bound in p_queries, as SQL: a text, or null where it is no moment relative to now and none with a day.
create function private.bound_moment(p_value jsonb) returns timestamp with time zone; -- plpgsql stable

-- `column operator bound`, for a bound with a day: what is due on a day lies before it if that day is before the day of the bound.
create function private.due_condition(p_column text, p_operator text, p_moment timestamp with time zone, p_day date) returns text; -- plpgsql immutable

-- ==== 20270103000300_lists_and_searches_at_less_cost.sql ====

-- What column_pages answers.
create type private.column_page as (
  stage_id uuid,
  rows json,
  end jsonb,
  bytes bigint,
  names jsonb,
  count bigint
);

-- What query_page answers.
create type private.page as (
  -- As far as an answer holds them, and the bytes of all.
  rows json,
  bytes bigint,
  end jsonb,
  -- The ids that they name, by table.
  names jsonb,
  count bigint,
  -- Where a search looked for its hits: at so many rows, and so many were hits.
  looked bigint,
  matched bigint
);

-- A search, and what is known of it so far.
create type private.search as (
  table_name text,
  text text,
  -- SQL of the ids, words and moments of the records of the table, called w, and what a search demands of them: for any, and by the index.
  source text,
  conditions text,
  by_index text,
  -- So many of the newest records were looked at, and so many were hits. All of the brand has `total`.
  looked bigint,
  hits bigint,
  total bigint,
  -- All that it finds; null: not known.
  ids uuid[]
);

-- The kept figures that answer a query, by their name; null: none do.
create function private.kept_source(p_table text, p_query jsonb) returns text; -- plpgsql immutable

-- The rows of kept_figures that have this name, with their columns called as those of the table. $1: the brand.
create function private.kept_rows(p_source text) returns text; -- plpgsql immutable

-- So many of the newest records show how frequent it is what a query asks for. Other budgets are multiples of this.
create function private.first_look() returns integer; -- sql immutable

-- So many records that meet a query are all read; of more the first ones are looked for.
create function private.few_hits() returns integer; -- sql immutable

-- The columns of a table that devices get, as a list after `select`, of a row called r.
create function private.listed_columns(p_table text) returns text; -- plpgsql stable

-- The tables that rows of a table name, with the columns that name them: { companies: ["company_id"] }. Brands, members and stages are on
-- every device.
create function private.row_links(p_table text) returns jsonb; -- plpgsql stable

-- SQL of an object with the ids that rows called d name, by table. p_links: of private.row_links.
create function private.named_by(p_links jsonb) returns text; -- plpgsql immutable

-- The columns of p_links, for a list after `select`, of a row called r.
create function private.link_columns(p_links jsonb) returns text; -- plpgsql immutable

-- The keys of an order as a list after `select`, called k1, k2 …
create function private.key_list(p_keys private.list_orders[]) returns text; -- plpgsql immutable

-- The same after `order by`. Empty values come last.
create function private.order_list(p_keys private.list_orders[]) returns text; -- plpgsql immutable

-- Reads the first page of a query in each of some stages, newest first. A stage without rows has none.
-- p_filter: what a deal called r has to be, with p_ids as $4. p_budget: only the first so many deals of each stage are looked at; without it all that
-- the filter has are read.
create function private.column_pages(p_stages uuid[], p_limit integer, p_filter text, p_brand_id uuid, p_ids uuid[] default null::uuid[], p_budget integer default null::integer) returns setof private.column_page; -- plpgsql stable security definer

-- How many of the newest rows of a table meet a filter, of p_limit that are looked at.
create function private.sample(p_table text, p_filter text, p_brand_id uuid, p_limit integer, out looked bigint, out matched bigint) returns record; -- plpgsql stable security definer

-- A count that is not known to be all: 247 is shown as '200+'.
create function private.rounded_down(p_count bigint) returns bigint; -- sql immutable

-- { total, more } of a query of which p_count rows are known: all, or some. Null without p_most.
create function private.count_at_least(p_count bigint, p_is_all boolean, p_most integer) returns jsonb; -- plpgsql immutable

-- How many rows of a table a brand has, of those whose number is kept.
create function private.kept_total(p_table text, p_brand_id uuid) returns bigint; -- plpgsql stable

-- Begins a search. p_text '': nothing is searched for.
create function private.begin_search(p_table text, p_text text, p_brand_id uuid) returns private.search; -- plpgsql stable security definer

-- About how many records a search finds, by those it has looked at.
create function private.expected_hits(p_search private.search) returns bigint; -- sql immutable

-- The search with all of its ids, if they are p_most at most; without p_most all of them.
create function private.with_hits(p_search private.search, p_brand_id uuid, p_most integer default null::integer) returns private.search; -- plpgsql stable security definer

-- The first ids that a search finds among the newest records that follow after `p_after` (the `end` of a page): at most p_limit, and among
-- p_budget records at most. `is_all`: no more follow.
create function private.newest_hits(p_search private.search, p_brand_id uuid, p_after jsonb, p_limit integer, p_budget integer, out ids uuid[], out is_all boolean) returns record; -- plpgsql stable security definer

-- The exact figures of a query with a search: its number of rows, and the sums of its deals. p_filter: without the search.
create function private.found_figures(p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid, p_sums boolean) returns jsonb; -- plpgsql stable security definer

-- What a search demands of a row called r, for a statement that reads all hits: ' and …', with its ids as $3 where they are known.
create function private.search_filter(p_search private.search) returns text; -- plpgsql immutable

-- The first ids that a search finds in an order whose keys stand beside the words, after `p_after` (the `end` of a page), and the number of all hits.
-- All of them are read.
create function private.ordered_hits(p_search private.search, p_keys private.list_orders[], p_brand_id uuid, p_after jsonb, p_limit integer, out ids uuid[], out total bigint) returns record; -- plpgsql stable security definer

-- Looks for a page of a search among the first rows of its order, which hold one where many records are found: twice as many as should be enough, and
-- once more as many as it takes, judging by the first ones. No page: that would be too many. p_is_counted: among so many that their count says
-- something. p_is_wide: where many records are found, among more than a few. `is_all`: there are no other rows.
create function private.page_among_first(p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid, p_is_counted boolean, p_is_wide boolean, out page private.page, out is_all boolean) returns record; -- plpgsql stable security definer

-- One page of a search, as query_page answers it, and { total, more } where the query has `most`. p_filter: of the query without its search.
-- p_search comes back with what was found out about it.
create function private.found_page(inout p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid, out page private.page, out figures jsonb) returns record; -- plpgsql stable security definer

-- Reads the first pages of the columns of a board: of the stages p_stages in the brand p_brand_id. p_query: the query of any of these
-- columns. p_filter: the condition of that query without its stage and its search. `columns` has the pages. Returns p_search, the search of
-- the board, with the results that are known now.
create function private.found_columns(inout p_search private.search, p_stages uuid[], p_query jsonb, p_filter text, p_brand_id uuid, out columns private.column_page[]) returns record; -- plpgsql stable security definer; body in 20270105000000_full_first_pages_of_columns.sql

-- The moment after which the records came that a query asks for, if it asks for nothing else.
create function private.since_when(p_query jsonb) returns timestamp with time zone; -- plpgsql stable

-- The answer to one query: rows and the end of the page, where rows were asked for, and its figures.
create function private.query_answer(p_has_rows boolean, p_rows json, p_end jsonb, p_figures jsonb) returns json; -- plpgsql immutable

-- Whether a page with so many rows has all of its query.
create function private.is_whole(p_query jsonb, p_count bigint) returns boolean; -- plpgsql immutable

-- What the queries of the columns of a board have in common.
create function private.board_of(p_query jsonb) returns jsonb; -- plpgsql immutable

-- Whether a query of deals asks for the first page, newest first.
create function private.is_beginning(p_query jsonb) returns boolean; -- plpgsql immutable

-- ==== 20270103000400_custom_fields_at_once.sql ====

-- What these rows give, and the fields that they give it to; a field that is not known is null.
create function private.given_custom(p_brand_id uuid, p_rows jsonb) returns table(place bigint, field public.custom_fields, label text, value jsonb); -- plpgsql stable

-- ==== 20270106000000_imports_at_twice_the_rate.sql ====

create function private.lock_chunk(p_brand_id uuid, p_import_id uuid, p_emails text[], p_ids uuid[]) returns void; -- plpgsql volatile security definer

-- The companies of the rows that do not exist yet, in the order of the file, in the spelling that comes first.
create function private.missing_companies(p_brand_id uuid, p_rows private.import_row[]) returns text[]; -- plpgsql stable security definer

-- ==== 20270108000000_named_records_at_less_cost.sql ====

-- Returns the records with the ids that p_names lists, by table, and the bytes of all. Each of p_names: { table: [id] }. If the records of a
-- table have more bytes than private.answer_bytes(), some of them are missing.
create function private.rows_with_ids(p_brand_id uuid, p_names jsonb[], out named json, out bytes bigint) returns record; -- plpgsql stable security definer

-- ==== 20270112000000_reminders_that_are_over.sql ====

-- Read, not deleted: a live event of a deleted notification names no person, so the open devices of the person would not get it.
create function private.read_reminder() returns trigger; -- plpgsql volatile security definer

-- Of these pushes, those that somebody is still to get: their keys, and when they may be sent (now, or after the quiet hours).
create function private.wanted_pushes(p_ids bigint[]) returns table(id bigint, p256dh text, auth text, send_at timestamp with time zone); -- plpgsql stable security definer

-- Deletes the due pushes that nobody is to get any more, and moves those of people whose quiet hours have begun to their end: at most 1,000 per call. So
-- they do not take the places of other pushes (take_pushes).
create function private.tidy_pushes() returns void; -- plpgsql volatile security definer

-- ==== 20270114000000_large_brands_end_in_pieces.sql ====

-- Deletes up to 2,000 rows of a brand that its owner wants to delete: records first, then histories. Answers { done, count }: done is true, and nothing
-- is deleted, if none of these tables has more than 2,000 rows. Tombstones stay, because devices need them until the brand itself is deleted.
-- Raises NOT_AUTHORIZED.
create function public.clear_brand(p_brand_id uuid) returns json; -- plpgsql volatile security definer for authenticated, service_role

-- Gives up to 2,000 records of a member whose membership is to end to another member `p_to` (null: to nobody). Rights, refusals and the owner columns
-- are those of remove_member. Answers { done, counts }: the numbers of changed records by table, as remove_member. Done is true if no record is left.
create function public.release_records(p_brand_id uuid, p_user_id uuid, p_to uuid default null::uuid) returns json; -- plpgsql volatile security definer for authenticated, service_role

-- ==== 20270115000000_brands_by_strangers.sql ====

-- The numbers of brands that users founded, by hour. The hours that began in the last 25 hours count.
create table private.brands_founded (
  user_id uuid not null,
  hour timestamp with time zone not null,
  n integer not null default 1,
  constraint brands_founded_pkey primary key (user_id, hour),
  constraint brands_founded_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
alter table private.brands_founded enable row level security;

-- Refuses the 1,001st brand that a user founds within 24 hours. Raises PT429.
create function private.limit_founding() returns trigger; -- plpgsql volatile security definer

-- A caller can add the same person to 500 brands that this person has not opened. Refuses the next one with PT429.
create function private.limit_unopened() returns trigger; -- plpgsql volatile security definer

-- Makes another member the owner in place of this one, who becomes a member: one who has opened the brand before one who has not, an admin before a
-- member, then the earliest one. Returns the id of the owner. Without another member, deletes the brand and returns null. If there is another owner,
-- changes nothing and returns their id. Raises LAST_OWNER if the last owner has opened the brand.
create function private.replace_owner(p_brand_id uuid, p_user_id uuid) returns uuid; -- plpgsql volatile security definer

-- A person who was made the last owner of a brand that they have never opened can give it up (replace_owner), without the second factor that the brand
-- may demand. Returns the id of the owner, or null if the brand is deleted. If there is another owner, changes nothing. Raises NOT_AUTHORIZED if the
-- caller is not an owner, and LAST_OWNER if the last owner has opened the brand.
create function public.give_up_unopened_brand(p_brand_id uuid) returns uuid; -- plpgsql volatile security definer for authenticated

-- Before the caller deletes their account: the brands whose last owner they are without having ever opened them, to be given up one by one
-- (give_up_unopened_brand). If the caller is the last owner of a brand that they have opened, raises LAST_OWNER with these brands in the detail, as
-- delete_my_account.
create function public.last_unopened_brands() returns uuid[]; -- plpgsql stable security definer for authenticated

-- ==== 20270116000000_large_stages_in_pieces.sql ====

-- Stages from which pieces have moved deals (clear_deal_stage, clear_pipeline) and that are not deleted yet. What the pieces moved is part of that
-- delete, and of its undo.
create table private.begun_stage_deletes (
  brand_id uuid not null,
  stage_id uuid not null,
  constraint begun_stage_deletes_pkey primary key (brand_id, stage_id),
  constraint begun_stage_deletes_brand_id_stage_id_fkey foreign key (brand_id, stage_id) references public.deal_stages(brand_id, id) on delete cascade
);
alter table private.begun_stage_deletes enable row level security;

-- Moves up to `p_most` deals (null: all) of these stages to another one, the newest first, and keeps for restore_moved what it moved. Returns how many
-- it has moved. Raises 22023 if there are deals and no target, or if the target is not a further stage of the brand.
create function private.move_deals_of_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid, p_most integer) returns bigint; -- plpgsql volatile security definer

-- A piece of the delete of these stages: moves up to 2,000 of their deals. Answers { done, count }; done is true if none is left.
create function private.move_piece_of_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid) returns json; -- plpgsql volatile security definer

-- Moves up to 2,000 deals of a stage that is to be deleted to another stage, as delete_deal_stage moves them. Rights and refusals are those of
-- delete_deal_stage. Answers { done, count }: done is true if none is left. If it is not called again, the stage stays, with the rest of its deals,
-- until delete_deal_stage is called; the undo of that delete also brings back the deals of its pieces, up to 2,000 in total within a day.
create function public.clear_deal_stage(p_brand_id uuid, p_stage_id uuid, p_to_stage_id uuid default null::uuid) returns json; -- plpgsql volatile security definer for authenticated, service_role

-- Moves up to 2,000 deals of a pipeline that is to be deleted to a stage of another one, as delete_pipeline moves them. Rights and refusals are those
-- of delete_pipeline. Answers as clear_deal_stage, and leaves as much if it is not called again.
create function public.clear_pipeline(p_brand_id uuid, p_pipeline_id uuid, p_to_stage_id uuid default null::uuid) returns json; -- plpgsql volatile security definer for authenticated, service_role

-- Closes, or opens, up to 2,000 deals of a stage that is to get the kind `p_kind` ('open', 'won', 'lost'), as the change of the kind does. Answers
-- { done, count }: done is true if fewer were left. Raises NOT_AUTHORIZED, 22023.
-- The stage gets its new kind last, with the change itself, which also closes or opens what has come meanwhile. Until then the stage counts as before.
-- If the change does not follow, the stage keeps its kind, and the deals of the finished pieces have what the other kind would give them: in an open
-- stage a closing day, which only exports show and which they lose when they leave the stage; in a won or lost stage no day. Another attempt does the
-- rest.
create function public.apply_stage_kind(p_brand_id uuid, p_stage_id uuid, p_kind text) returns json; -- plpgsql volatile security definer for authenticated, service_role

-- ==== 20270117000000_bounded_export_lines.sql ====

-- Skips the line of an export if the log has one of the last hour. The second of two simultaneous exports waits here for the first.
create function private.skip_repeated_export() returns trigger; -- plpgsql volatile security definer

-- ==== 20270117000100_exact_closing_days.sql ====

-- Before the kind of a stage changes: waits for the transactions that bring deals into the stage, and makes later ones wait for this transaction.
-- So close_deals_of_stage finds the deals of the earlier ones, and the later ones read the new kind. A transaction that changes a deal of the stage and
-- then brings another one into it can deadlock with this one.
create function private.wait_for_deals() returns trigger; -- plpgsql volatile security definer

-- ==== 20270120000000_targets_of_merged_tags.sql ====

-- These ids of tags, with the target in place of each merged tag: once each and sorted. A target may have been merged or deleted itself.
create function private.with_merge_targets(p_brand_id uuid, p_ids uuid[]) returns uuid[]; -- sql stable

-- ==== 20270121000000_imports_by_id.sql ====

-- The rows of a chunk, parsed and checked. is_repeated: an earlier row has the same e-mail address.
create function private.parsed_chunk(p_brand_id uuid, p_rows jsonb) returns private.import_row[]; -- sql stable

-- The rows that can be saved at once, with the companies and contacts that the brand has, and with an id for each new contact. Of rows that
-- find one contact, the first.
create function private.matched_chunk(p_brand_id uuid, p_rows private.import_row[]) returns private.import_row[]; -- plpgsql volatile security definer

-- ==== 20270122000000_notes_restored_with_a_right.sql ====

-- Its name comes before `tidy`, which marks a note without links as one that returns with its record.
create function private.assert_may_restore_note() returns trigger; -- plpgsql volatile security definer

-- ==== 20270122000100_audit_log_of_invitations_sent_again.sql ====

create function private.record_renewed_invitation() returns trigger; -- plpgsql volatile security definer

-- ==== 20270122000200_audit_log_of_those_who_joined.sql ====

create function private.name_joined_person() returns trigger; -- plpgsql volatile

-- ==== 20270123000500_brand_names_without_direction_controls.sql ====

-- Names of brands lose the characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069). With them a name can look like one
-- with other letters ('emcA' after U+202E looks like 'Acme'), and the rest of a sentence is reversed, also in mails. The marks U+200E and U+200F,
-- which names in Arabic or Hebrew may need, stay. A stored name keeps its characters until it is changed.
create function private.remove_direction_controls() returns trigger; -- plpgsql volatile

-- ==== 20270124000100_contacts_of_deleted_companies.sql ====

-- Locks the company that a contact refers to, as the foreign key does later. The lock waits for a delete that is not committed. If the company is
-- deleted, its name is in its tombstone. If there is no tombstone, the foreign key refuses the row.
create function private.replace_deleted_company() returns trigger; -- plpgsql volatile

-- ==== 20270126000000_series_notify_once.sql ====

-- Writes the id of the next task into the setting private.next_task, for this transaction. The trigger after this one, continue_series, inserts that
-- task. Not called if the same update gives the task to another person: that person is notified.
create function private.name_next_task() returns trigger; -- plpgsql volatile security definer

-- ==== 20270128000400_names_of_members_who_return.sql ====

-- Runs before `tidy`, whose name comes later in the alphabet, and which sets a missing name. `keep_name` then deletes the former name.
create function private.take_former_name() returns trigger; -- plpgsql volatile security definer

-- ==== 20270129000000_former_closing_days.sql ====

-- The closing days that deals have lost because their stage became open (close_deals_of_stage, apply_stage_kind). Rows older than a day are of no
-- use, and go with the next change of a kind in the brand.
create table private.former_closing_days (
  brand_id uuid not null,
  deal_id uuid not null,
  stage_since timestamp with time zone not null,
  closed_at timestamp with time zone not null,
  kept_at timestamp with time zone not null default now(),
  constraint former_closing_days_pkey primary key (brand_id, deal_id),
  constraint former_closing_days_brand_id_fkey foreign key (brand_id) references public.brands(id) on delete cascade
);
alter table private.former_closing_days enable row level security;

-- A deal that stays in its stage loses its closing day only if the kind of the stage changes, because tidy_deal keeps it otherwise.
create function private.keep_closing_day() returns trigger; -- plpgsql volatile security definer

-- Replaces the present time, which a change of the kind sets. A day that a person has chosen stays. A deal that has left the stage in between has
-- another `stage_since`, and its former day is not used.
create function private.take_former_closing_day() returns trigger; -- plpgsql volatile security definer

create function private.forget_closing_days() returns trigger; -- plpgsql volatile security definer
