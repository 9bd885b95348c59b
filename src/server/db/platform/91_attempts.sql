-- Failed sign-ins and sign-ups, counted per subject and ten seconds (src/server/auth/rate-limits.ts). A subject is a keyed
-- hash of an address, an account, or both: the table names nobody. Supabase has no such table; its own limits live elsewhere.
create table auth.attempts (
  subject text not null,
  at timestamptz not null,
  n integer not null,
  primary key (subject, at)
);
revoke all on auth.attempts from public;
