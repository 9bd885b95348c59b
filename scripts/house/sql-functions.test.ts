import { expect, it } from 'vitest'
import { functionsDefinedTwice } from './sql-functions.ts'

it('SQL functions that are defined again are counted, in upper or lower case and with any line breaks, but not in comments and strings', () => {
  const first = `create function private.one() returns int language sql as $$ select 1 $$;
CREATE OR REPLACE FUNCTION public.two(a int) returns int language sql as $$ select a $$;
-- create function private.three()
create function private.three() returns text language sql as $$ select 'create function private.three()' $$;
create table private.four (id int);`
  const second = `create or replace
  function private.one() returns int language sql as $$ select 2 $$;
drop function public.two(int);
create function public.two(a text) returns int language sql as $$ select 3 $$;
create or replace function private.one() returns int language sql as $$ select 4 $$;
create table private.four_again (id int);`
  expect(functionsDefinedTwice([first, second])).toEqual(['private.one (3 times)', 'public.two (2 times)'])
})
