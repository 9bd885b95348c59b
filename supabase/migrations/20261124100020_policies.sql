-- Every policy of signed-in people, made anew in one form: which brands, by the one helper; then what else of the row.

create policy "members see their brands" on public.brands for select to authenticated
  using (id = any (array(select private.my_brand_ids())));
create policy "owners rename their brands" on public.brands for update to authenticated
  using (id = any (array(select private.my_brand_ids('owner'))));
create policy "owners delete their brands" on public.brands for delete to authenticated
  using (id = any (array(select private.my_brand_ids('owner'))));
-- The one policy that cannot ask for a brand: it is not there yet. It asks for a session that is proved as well as it can be.
create policy "whoever is signed in may found a brand" on public.brands for insert to authenticated
  with check ((select private.session_level()) >= 1);

create policy "members see who belongs to their brands" on public.memberships for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members call themselves as they like" on public.memberships for update to authenticated
  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));
create policy "admins set the role of members and admins" on public.memberships for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))) and role <> 'owner')
  with check (brand_id = any (array(select private.my_brand_ids('admin'))) and role <> 'owner');
create policy "owners set every role" on public.memberships for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('owner'))));
create policy "anyone may leave" on public.memberships for delete to authenticated
  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));
create policy "admins remove members and admins" on public.memberships for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))) and role <> 'owner');
create policy "owners remove everybody" on public.memberships for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('owner'))));

create policy "members see the stages of their brands" on public.deal_stages for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "admins and owners add stages" on public.deal_stages for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners change stages" on public.deal_stages for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners delete stages" on public.deal_stages for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));

create policy "members see the companies of their brands" on public.companies for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add companies to their brands" on public.companies for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the companies of their brands" on public.companies for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete companies of their brands" on public.companies for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));

create policy "members see the contacts of their brands" on public.contacts for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add contacts to their brands" on public.contacts for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the contacts of their brands" on public.contacts for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete contacts of their brands" on public.contacts for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));

create policy "members see the deals of their brands" on public.deals for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add deals to their brands" on public.deals for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the deals of their brands" on public.deals for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete deals of their brands" on public.deals for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members see the history of their brands' deals" on public.deal_stage_changes for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));

create policy "members see the tasks of their brands" on public.tasks for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add tasks to their brands" on public.tasks for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the tasks of their brands" on public.tasks for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete tasks of their brands" on public.tasks for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));

create policy "admins see who is invited" on public.invitations for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));

-- The topic of a brand, for presence and for what colleagues tell each other.
create policy "members hear their brand's topic" on realtime.messages for select to authenticated
  using ((select realtime.topic()) = any (array(select 'brand:' || b from private.my_brand_ids() b)));
do $$
begin
  -- The bundled server asks about reading alone; Supabase also about writing.
  if exists (select from pg_attribute where attrelid = 'realtime.messages'::regclass and attname = 'payload') then
    execute $policy$
      create policy "members talk in their brand's topic" on realtime.messages for insert to authenticated
      with check ((select realtime.topic()) = any (array(select 'brand:' || b from private.my_brand_ids() b)))
    $policy$;
  end if;
end
$$;
