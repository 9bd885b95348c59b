-- Renames what the chapters of supabase/migrations call differently than the 39 migrations that they replaced. The server
-- runs this file once, in a database with exactly these 39 migrations (checksums.json). Then it creates every function
-- again, from the text of its chapter.

alter function private.bury() rename to write_tombstone;
alter function private.unbury() rename to clear_tombstone;
alter function private.empty_the_grave() rename to delete_tombstones_of_brand;
alter function private.own_brand() rename to make_founder_owner;
alter function private.anywhere(text) rename to like_pattern;
alter function private.named(text) rename to name_or_null;
alter function private.required(text) rename to required_name;
alter function private.display(text) rename to clean_display_name;
alter function private.invisible() rename to invisible_characters;
alter function private.assert_visible(text) rename to assert_no_invisible;
alter function private.for_mail(text) rename to text_for_mail;
alter function private.company_named(uuid, text) rename to find_or_create_company;
alter function private.put_contact(uuid, text, text, text, text, uuid, uuid) rename to upsert_contact_row;

alter trigger empty_the_grave on public.brands rename to delete_tombstones;
alter trigger own_brand on public.brands rename to make_founder_owner;
alter trigger a_life_begins on public.brands rename to begin_life;
alter trigger a_life_begins_anew on public.brands rename to begin_life_of_new_id;
alter trigger life_ends on public.brands rename to end_life;
alter trigger life_ends_elsewhere on public.brands rename to end_life_of_old_id;
do $$
declare
  v_table text;
begin
  for v_table in select name from private.synced_tables where name <> 'brands' loop
    execute format('alter trigger bury on public.%I rename to write_tombstone', v_table);
    execute format('alter trigger unbury on public.%I rename to clear_tombstone', v_table);
  end loop;
end
$$;

-- `create or replace` cannot rename a parameter.
drop function private.restore_links(private.tombstones);
drop function private.without_lost_links(private.tombstones);
create function private.restore_links(p_tombstone private.tombstones) returns void language plpgsql as 'begin end';
create function private.without_lost_links(p_tombstone private.tombstones) returns jsonb language plpgsql as 'begin end';
revoke execute on function private.restore_links(private.tombstones), private.without_lost_links(private.tombstones) from public;
