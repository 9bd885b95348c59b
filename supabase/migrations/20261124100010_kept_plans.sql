-- What else runs with its owner's rights, as before, in PL/pgSQL: its plans are kept.

create or replace function private.current_rev() returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return (select s.base + pg_current_xact_id()::text::bigint from private.sync_state s);
end
$$;

create or replace function private.cluster_identity() returns text
language plpgsql stable set search_path = ''
as $$
begin
  return (select system_identifier from pg_control_system())
    || '.' || (select timeline_id from pg_control_checkpoint())
    || '.' || (select oid from pg_database where datname = current_database());
end
$$;

create or replace function private.current_epoch() returns text
language plpgsql stable set search_path = ''
as $$
begin
  return (select s.epoch || '.' || private.cluster_identity() from private.sync_state s);
end
$$;

-- It melts into the expressions that ask for it.
create or replace function private.request_key() returns text
language sql stable
as $$
  select nullif(nullif(current_setting('request.headers', true), '')::json ->> 'idempotency-key', '')
$$;

create or replace function private.on_restore() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.raise_epoch();
end
$$;

create or replace function private.lock_companies(p_brand_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('companies ' || p_brand_id, 0));
end
$$;

create or replace function private.contacts_json(p_brand_id uuid, p_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(json_agg(to_jsonb(c) - 'email_norm' order by i.place), '[]')
    from unnest(p_ids) with ordinality i (id, place)
    join public.contacts c on c.brand_id = p_brand_id and c.id = i.id
  );
end
$$;

create or replace function private.companies_json(p_brand_id uuid, p_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(json_agg(c order by i.place), '[]')
    from unnest(p_ids) with ordinality i (id, place)
    join public.companies c on c.brand_id = p_brand_id and c.id = i.id
  );
end
$$;

create or replace function private.on_server_settings(p_settings jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.server_settings (settings) values (p_settings)
  on conflict (only_row) do update set settings = excluded.settings;
end
$$;

create or replace function private.server_setting(p_name text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select s.settings ->> p_name from private.server_settings s);
end
$$;

create or replace function private.invitations_on() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    private.server_setting('sign_up') <> 'closed'
      and (private.server_setting('mail') = 'true' or private.server_setting('sign_up') = 'invited'),
    false
  );
end
$$;

create or replace function private.asks_too_often(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(sum(u.n), 0) >= 30 from private.unknown_addresses u
    where u.user_id = p_user and u.at > now() - interval '1 minute'
  );
end
$$;

create or replace function private.proved_lately(p_methods text[]) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from jsonb_array_elements(
      case jsonb_typeof(auth.jwt() -> 'amr') when 'array' then auth.jwt() -> 'amr' else '[]'::jsonb end
    ) a
    where jsonb_typeof(a) = 'object' and a ->> 'method' = any (p_methods)
      and to_timestamp((a ->> 'timestamp')::double precision) > now() - interval '5 minutes'
  );
end
$$;

create or replace function private.live_scopes() returns table (relation regclass, scope_column text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select format('public.%I', t.name)::regclass, t.brand_column from private.synced_tables t;
end
$$;
