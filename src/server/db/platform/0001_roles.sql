-- What Supabase's PostgreSQL brings along, laid by the bundled server below the product's own migrations: first the
-- roles. They belong to the whole cluster, so another database of it may have made them already.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    begin
      if not exists (select from pg_roles where rolname = wanted) then
        execute format('create role %I nologin noinherit', wanted);
      end if;
    exception when duplicate_object or unique_violation then
      -- Somebody made it in the same moment, from another database.
      null;
    end;
  end loop;
end
$$;

-- The secret key's role sees everything. On a managed PostgreSQL only a superuser may say so; there each table's policy
-- for it does the work.
do $$
begin
  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
exception when insufficient_privilege then
  null;
end
$$;

-- Nobody makes tables in public but the owner (PostgreSQL 15 says so by itself; a database that was upgraded does not).
revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
