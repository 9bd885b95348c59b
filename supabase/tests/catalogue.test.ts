import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMigrations } from '#server/db/migration-files.ts'
import { productMigrations } from '#server/db/project-root.ts'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const names = async (text: string) => (await scene.owner.query<{ name: string }>(text)).rows.map(({ name }) => name)

describe('the catalogue', () => {
  it('every table of the schema public has row-level security on', async () => {
    expect(
      await names(`select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`),
    ).toEqual([])
  })

  it('the schema public has no view, because a view would read with its owner’s rights', async () => {
    expect(
      await names(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`,
      ),
    ).toEqual([])
  })

  it('the database grants nothing to the role anon: no table, no column, no public function, no use of the schema private', async () => {
    expect(
      await names(`select relname as name from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
        and relkind in ('r', 'p') and (has_table_privilege('anon', oid, 'select, insert, update, delete, truncate, references, trigger')
          or has_any_column_privilege('anon', oid, 'select, insert, update, references'))`),
    ).toEqual([])
    expect(
      await names(`select proname as name from pg_proc
        where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and has_function_privilege('anon', oid, 'execute')
          and pronamespace = 'public'::regnamespace`),
    ).toEqual([])
    expect(await names(`select 'private' as name where has_schema_privilege('anon', 'private', 'usage')`)).toEqual([])
  })

  it('of the schema private, signed-in users may call only the functions that policies, triggers and checks use, and may use no table', async () => {
    expect(
      await names(`select proname as name from pg_proc
        where pronamespace = 'private'::regnamespace and has_function_privilege('authenticated', oid, 'execute') order by 1`),
    ).toEqual([
      'are_reasons',
      'caller_id',
      'current_rev',
      'custom_value',
      'field_key',
      'field_options',
      'has_invisible',
      'invisible_characters',
      'is_service',
      'my_brand_ids',
      'name_or_null',
      'required_name',
      'session_level',
      'trimmed',
      'without_accents',
    ])
    expect(
      await names(`select relname as name from pg_class where relnamespace = 'private'::regnamespace
        and relkind in ('r', 'p') and has_table_privilege('authenticated', oid, 'select, insert, update, delete')`),
    ).toEqual([])
  })

  it('no function that writes runs under force_custom_plan, because PostgreSQL would plan its triggers and foreign keys again for each row', async () => {
    expect(
      await names(String.raw`select oid::regprocedure::text as name from pg_proc
        where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and 'plan_cache_mode=force_custom_plan' = any (proconfig)
          and provolatile = 'v' and prosrc ~* '\m(insert into|delete from|update (public|private))\M|format\(\s*''(update|with)'`),
    ).toEqual([])
  })

  it('signed-in users may not update keys, rev, version, or the columns that say who wrote or opened a row and when', async () => {
    expect(
      await names(`select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and a.attname in ('id', 'brand_id', 'user_id', 'rev', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by', 'opened_at')
          and has_column_privilege('authenticated', c.oid, a.attnum, 'update')`),
    ).toEqual([])
  })

  it('the roles of requests own no table and, except service_role, do not bypass row-level security', async () => {
    expect(
      await names(`select rolname as name from pg_roles
        where rolname in ('anon', 'authenticated', 'service_role') and (rolsuper or rolcanlogin or (rolbypassrls and rolname <> 'service_role'))`),
    ).toEqual([])
    expect(
      await names(`select relname as name from pg_class
        where relowner in (select oid from pg_roles where rolname in ('anon', 'authenticated', 'service_role'))`),
    ).toEqual([])
  })

  it('all policies have one form: they compare a brand with the brands of the caller, which one function returns', async () => {
    // The insert of a brand has no brand to check: its policy checks the session's level.
    expect(
      await names(`select tablename || ': ' || policyname as name from pg_policies
        where (schemaname = 'public' or (schemaname, tablename) = ('realtime', 'messages'))
          and roles && '{authenticated,public,anon}'
          and not (coalesce(qual, with_check) ~ 'ANY \\(ARRAY\\( ?SELECT [^;]*my_brand_ids\\('
            and coalesce(with_check, qual) ~ 'ANY \\(ARRAY\\( ?SELECT [^;]*my_brand_ids\\(')
          and coalesce(qual, with_check) !~ 'private.session_level\\(\\) AS session_level\\) >= 1'`),
    ).toEqual([])
    expect(
      await names(
        `select policyname as name from pg_policies where with_check ~ 'session_level' or qual ~ 'session_level'`,
      ),
    ).toEqual(['whoever is signed in may found a brand'])
  })

  it('no `security definer` function is written in language SQL', async () => {
    // PostgreSQL before 18 plans such a function again at every call.
    expect(
      await names(`select p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang
        where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosecdef and l.lanname = 'sql'`),
    ).toEqual([])
  })

  it('no policy and no trigger calls a `security definer` function in language SQL, in any schema', async () => {
    // `called`: the functions of triggers, policies, constraints and defaults, and the functions that the bodies of these call. Their names are
    // searched as plain text: with patterns, another join order of PostgreSQL compiles a pattern for each pair, which takes minutes.
    expect(
      await names(`with recursive called as (
          select t.tgfoid as oid from pg_trigger t where not t.tgisinternal
          union select d.refobjid from pg_depend d
            where d.refclassid = 'pg_proc'::regclass and d.classid in ('pg_policy'::regclass, 'pg_trigger'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass)
          union select n.oid from called c join pg_proc b on b.oid = c.oid
            join pg_proc n on n.pronamespace in ('auth'::regnamespace, 'private'::regnamespace, 'public'::regnamespace, 'realtime'::regnamespace)
              and strpos(b.prosrc, n.pronamespace::regnamespace || '.' || n.proname || '(') > 0
        )
        select p.oid::regprocedure::text as name from called join pg_proc p using (oid) join pg_language l on l.oid = p.prolang
        where l.lanname = 'sql' and p.prosecdef
        union all
        select 'few were found' where (select count(*) from called) < 60`),
    ).toEqual([])
  })

  it('every `security definer` function sets its search path', async () => {
    expect(
      await names(`select proname as name from pg_proc
        where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosecdef
          and not exists (select from unnest(proconfig) setting where setting = 'search_path=""')`),
    ).toEqual([])
  })

  it('every public function checks the caller’s membership, role or session', async () => {
    expect(
      await names(`select proname as name from pg_proc where pronamespace = 'public'::regnamespace
        and prosrc !~ 'private\\.(assert_(member|role|may_invite)|(proved_)?caller(_id)?)\\('`),
    ).toEqual([])
  })

  it('two tables have at most one foreign key between them, so that a request that embeds one in the other is never ambiguous', async () => {
    expect(
      await names(`select conrelid::regclass || ' -> ' || confrelid::regclass as name from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace group by conrelid, confrelid having count(*) > 1`),
    ).toEqual([])
  })

  it('every foreign key between records includes the brand', async () => {
    expect(
      await names(`select conname as name from pg_constraint c
        where contype = 'f' and connamespace = 'public'::regnamespace
          and confrelid not in ('public.brands'::regclass, 'auth.users'::regclass)
          and not exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = c.conkey[1] and a.attname = 'brand_id')`),
    ).toEqual([])
  })

  it('every foreign key has an index', async () => {
    expect(
      await names(`select conname as name from pg_constraint c
        where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
          select from pg_index i where i.indrelid = c.conrelid
            and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] = c.conkey)`),
    ).toEqual([])
  })

  it('every table that devices store is published for live changes, with all columns of the old row', async () => {
    expect(
      await names(`select name from private.synced_tables where name not in (
        select tablename from pg_publication_tables p join pg_class c on c.oid = to_regclass(format('public.%I', p.tablename))
        where pubname = 'supabase_realtime' and c.relreplident = 'f')`),
    ).toEqual([])
  })
})

describe('the chapters', () => {
  // These are the chapters of the first release; later migrations may redefine a function.
  const { by: chapterNames } = JSON.parse(readFileSync(join(import.meta.dirname, '../squashed/checksums.json'), 'utf8'))
  const chapters = readMigrations(productMigrations()).filter(({ name }) => chapterNames.includes(name))
  const functionNames = chapters.flatMap(({ text }) =>
    [...text.matchAll(/^create (?:or replace )?(?:function|procedure) ([\w.]+)/gm)].map(([, name]) => name ?? ''),
  )

  it('the chapters of SQL define no function twice', () => {
    expect(chapters).toHaveLength(20)
    expect(functionNames.length).toBeGreaterThan(100)
    expect(functionNames.filter((name, index) => functionNames.indexOf(name) !== index)).toEqual([])
  })

  it('the chapters of SQL neither drop nor replace anything, nor change functions and columns later, because a chapter defines its domain without its history', () => {
    const changes = chapters.flatMap(({ name, text }) =>
      [...text.matchAll(/^(?:drop |alter function |alter table .* (?:add|drop|rename) |create or replace ).*/gm)].map(
        ([line]) => `${name}: ${line}`,
      ),
    )
    expect(changes).toEqual([])
  })
})
